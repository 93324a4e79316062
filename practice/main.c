/*
 * main.c: a program of an exercise: judges launch() by one row of criteria[].
 *   PROGRAM EXERCISE [SEED]      0: it is solved; 1: it is not; 2: usage; 77: not on these GPUs
 * The seed draws the data and the schedules; without it each run draws others.
 */
#include "verdict.h"

#include "gpus.h"
#include "message.h"
#include "numbers.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
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

int main(int argc, char **argv)
{
    uint64_t seed = (uint64_t)time(NULL) % 10000;
    begin_program("practice");
    if (argc < 2 || argc > 3)
        return complain(STATUS_USAGE, "an exercise is needed, and perhaps a seed");
    if (argc == 3 && !parse_number(argv[2], 0, UINT64_MAX, &seed))
        return complain(STATUS_USAGE, "SEED=%s: a whole number is needed", argv[2]);
    for (const struct criteria *c = criteria; c->file; c++)
        if (strcmp(c->file, argv[1]) == 0) {
            if (c->blocks[0] == 0 || (c->questions[0].asks && c->sizes[0] == 0))
                return complain(STATUS_USAGE, "criteria.c: %s needs .blocks, a quiz .sizes, too",
                                c->file);
            if (c->gpus[0] > 0)
                prepare_for_gpus(&(struct options){.gpus = MOST_GPUS});
            if (c->gpus[0] > 0 && gpus_there() < 2)
                return complain(
                    STATUS_NOTHING,
                    "this needs two GPUs that reach each other's memory, and here is no "
                    "such pair; the simulator has 8: BACKEND=sim");
            bool solved = c->questions[0].asks ? judge_quiz(c) : judge_kernel(c, seed);
            return solved ? STATUS_OK : STATUS_WRONG;
        }
    return complain(STATUS_USAGE, "no criteria for %s: criteria.c has no such row", argv[1]);
}
