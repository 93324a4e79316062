/*
 * explore.c: SIMT_EXPLORE=N ./program runs it under N schedules, one after another, and stops at
 * the first under which it fails, or the simulator has something to say. A fault that needs one
 * order out of many shows sooner so; the number of orders tried is reported.
 */
#include "explore.h"
#include "fault.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The program itself, in a process of its own, as schedule k; its output goes to a file. */
static int run_in_child(unsigned k, FILE *output)
{
    char seed[16];
    int status;
    pid_t child = fork();
    if (child != 0)
        return child > 0 && waitpid(child, &status, 0) == child ? status : -1;
    snprintf(seed, sizeof seed, "%u", k);
    setenv("SIMT_SCHEDULE", seed, 1);
    dup2(fileno(output), 1);
    dup2(fileno(output), 2);
    return -2;
}

/* Copies the output; returns whether the simulator has said something. */
static bool show(FILE *output, bool print)
{
    char line[4096];
    bool said = false;
    rewind(output);
    while (fgets(line, sizeof line, output)) {
        said |= strncmp(line, "simulator: ", 11) == 0 &&
                strncmp(line, "simulator: note: the times", 26) != 0;
        if (print)
            fputs(line, stdout);
    }
    fflush(stdout);
    return said;
}

static void finish(unsigned tried, unsigned wanted, int status)
{
    if (status != 0)
        fprintf(stderr, "simulator: schedule %u of %u: this is what was found (SIMT_SCHEDULE=%u)\n",
                tried, wanted, tried - 1);
    else
        fprintf(stderr, "simulator: %u schedules tried, and nothing found\n", tried);
    exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

/* Each child goes on with main(), the parent never does. */
void explore_schedules(void)
{
    const char *text = getenv("SIMT_EXPLORE");
    char *end;
    if (!text || !*text)
        return;
    unsigned long wanted = strtoul(text, &end, 10);
    if (*end || wanted == 0 || wanted > 100000 || *text == '-')
        simt_fault(NULL, NULL, "SIMT_EXPLORE=%s: a number of schedules from 1 to 100000 is needed",
                   text);
    for (unsigned k = 0; k < wanted; k++) {
        FILE *output = tmpfile();
        int status = output ? run_in_child(k, output) : -1;
        if (status == -2) {
            unsetenv("SIMT_EXPLORE");
            return; /* the child */
        }
        if (status == -1)
            simt_fault(NULL, NULL, "SIMT_EXPLORE: a program of its own cannot be started");
        bool said = show(output, status != 0);
        if (status == 0 && (said || k + 1 == wanted))
            show(output, true);
        fclose(output);
        if (status != 0 || said)
            finish(k + 1, (unsigned)wanted, status ? status : 0x100);
    }
    finish((unsigned)wanted, (unsigned)wanted, 0);
}
