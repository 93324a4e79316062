/*
 * main.c: the judge of a folder of exercises: judges a program by one row of criteria[].
 *   judge [--json] [--without=CRITERION] PROGRAM [SEED]      0: it is solved; 1: it is not; 2:
 * usage; 3: it could not be judged; 77: not on these GPUs The last part of PROGRAM names the
 * exercise. The seed draws the data and the schedules; without it each run draws others. With
 * --json the verdict is one line on standard output: the seed, and of each criterion its name,
 * whether it is met (null: it cannot be seen here), and the line for people.
 */
#include "judge.h"

#include "numbers.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

float *room_for(size_t count)
{
    float *floats = calloc(count + 1, sizeof *floats);
    if (floats == NULL)
        exit(complain(STATUS_UNKNOWN, "cannot judge: no memory"));
    return floats;
}

static const char *without = "";
bool at_other_places, limits_alone;

bool left_out(const char *criterion)
{
    return strcmp(criterion, without) == 0;
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
            say_wrong("faults", "faults: %s", how);
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
static int end_with(int status, uint64_t seed)
{
    struct pollfd out = {STDOUT_FILENO, POLLOUT, 0};
    if (status == STATUS_OK || status == STATUS_WRONG)
        end_of_verdict(seed);
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
    for (; argc > 1 && argv[1][0] == '-'; argc--, argv++)
        if (strcmp(argv[1], "--json") == 0)
            say_as_json();
        else if (strncmp(argv[1], "--without=", 10) == 0)
            without = argv[1] + 10;
        else if (strcmp(argv[1], "--other-places") == 0)
            at_other_places = true;
        else if (strcmp(argv[1], "--limits") == 0)
            limits_alone = true;
        else
            return complain(STATUS_USAGE, "%s: there is no such option", argv[1]);
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
            return end_with(judge(c, seed), seed);
    return complain(STATUS_UNKNOWN, "no criteria for %s: criteria.c has no such row", name);
}
