/*
 * main.c: the judge of a folder of exercises: judges a program by one row of criteria[].
 *   judge PROGRAM [SEED]      0: it is solved; 1: it is not; 2: usage; 3: it could not be judged;
 *                             77: not on these GPUs
 * The last part of PROGRAM names the exercise. The seed draws the data and the schedules; without
 * it each run draws others.
 */
#include "judge.h"

#include "numbers.h"

#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

static void say(const char *word, const char *colour, const char *format, va_list list)
{
    bool coloured = isatty(STDOUT_FILENO);
    printf("  %s%-6s%s ", coloured ? colour : "", word, coloured ? "\033[0m" : "");
    vprintf(format, list);
    printf("\n");
}

#define SAYS(NAME, WORD, COLOUR)                                                                   \
    void NAME(const char *format, ...)                                                             \
    {                                                                                              \
        va_list list;                                                                              \
        va_start(list, format);                                                                    \
        say(WORD, COLOUR, format, list);                                                           \
        va_end(list);                                                                              \
    }
SAYS(say_ok, "ok", "\033[32m")
SAYS(say_wrong, "WRONG", "\033[1;31m")
SAYS(say_unknown, "-", "\033[33m")

float *room_for(size_t count)
{
    float *floats = calloc(count + 1, sizeof *floats);
    if (floats == NULL)
        exit(complain(STATUS_UNKNOWN, "cannot judge: no memory"));
    return floats;
}

static void nothing(const struct criteria *c, struct finding *f)
{
    (void)c, (void)f;
}

static int judge(const struct criteria *c, uint64_t seed)
{
    struct finding f = {0};
    char how[1024];
    if (c->blocks[0] == 0 || (c->questions[0].asks && c->sizes[0] == 0))
        return complain(STATUS_UNKNOWN, "criteria.c: %s needs .blocks, a quiz .sizes, too",
                        c->file);
    if (c->gpus[0] > 0) {
        if (!in_sandbox(nothing, c, &f, how)) {
            say_wrong("faults: %s", how);
            return STATUS_WRONG;
        }
        if (f.begun.gpus < 2)
            return complain(STATUS_NOTHING,
                            "this needs two GPUs that reach each other's memory, and here is no "
                            "such pair; the simulator has 8: BACKEND=sim");
    }
    bool solved = c->questions[0].asks ? judge_quiz(c) : judge_kernel(c, seed, f.begun.gpus);
    return solved ? STATUS_OK : STATUS_WRONG;
}

/* Where the output is no longer read, as with | head, the verdict stays what it is. */
static int end_with(int status)
{
    struct pollfd out = {STDOUT_FILENO, POLLOUT, 0};
    fflush(stdout);
    if (poll(&out, 1, 0) > 0 && (out.revents & POLLERR))
        _exit(status);
    return status;
}

int main(int argc, char **argv)
{
    uint64_t seed = (uint64_t)time(NULL) % 10000;
    begin_program("practice");
    signal(SIGPIPE, SIG_IGN);
    prctl(PR_SET_DUMPABLE, 0); /* no other process may look into this one */
    if (argc < 2 || argc > 3)
        return complain(STATUS_USAGE, "a program is needed, and perhaps a seed");
    if (argc == 3 && !parse_number(argv[2], 0, UINT64_MAX, &seed))
        return complain(STATUS_USAGE, "SEED=%s: a whole number is needed", argv[2]);
    const char *slash = strrchr(argv[1], '/'), *name = slash ? slash + 1 : argv[1];
    if (access(argv[1], X_OK) != 0)
        return complain(STATUS_USAGE, "%s: no such program", argv[1]);
    judge_program(argv[1]);
    for (const struct criteria *c = criteria; c->file; c++)
        if (strcmp(c->file, name) == 0)
            return end_with(judge(c, seed));
    return complain(STATUS_UNKNOWN, "no criteria for %s: criteria.c has no such row", name);
}
