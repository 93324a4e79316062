/*
 * switch.c: what it costs to go from one fibre to another. Linked with the
 * simulator's fibre.c, or with one of the files beside this one in its place; prints
 *     fibres,switches,runs,min_ns,median_ns
 * in nanoseconds of processor time per switch, for few fibres and for a full block.
 */
#include "engine.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SWITCHES = 1 << 19, RUNS = 21 };

static struct fibre fibres[MAX_BLOCK], host = {.started = true};
static int count, left, running;

/* Each fibre goes on to the next, round and round, until there were enough switches. */
void simt_thread_main(void)
{
    struct fibre *self = &fibres[running];
    running = (running + 1) % count;
    fibre_switch(self, left-- > 0 ? &fibres[running] : &host);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double one_run(void)
{
    double start = now();
    running = 0;
    left = SWITCHES;
    fibre_switch(&host, &fibres[0]);
    return (now() - start) / SWITCHES;
}

int main(void)
{
    const int counts[] = {2, WARP, MAX_BLOCK};
    double ns[RUNS];
    for (int i = 0; i < MAX_BLOCK; i++)
        fibre_create(&fibres[i]);
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        count = counts[c];
        one_run(); /* starts them */
        for (int r = 0; r < RUNS; r++)
            ns[r] = one_run();
        qsort(ns, RUNS, sizeof *ns, by_size);
        printf("%d,%d,%d,%.1f,%.1f\n", count, SWITCHES, RUNS, ns[0], ns[RUNS / 2]);
    }
    return 0;
}
