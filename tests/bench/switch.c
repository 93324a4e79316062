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

void simt_thread_main(void)
{
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

/* Enters each fibre in turn, again and again: two switches each time. */
static double one_run(struct fibre *fibres, int count)
{
    double start = now();
    for (int i = 0; i < SWITCHES / 2; i++)
        fibre_enter(&fibres[i % count]);
    return (now() - start) / SWITCHES;
}

int main(void)
{
    static struct fibre fibres[MAX_BLOCK];
    const int counts[] = {2, WARP, MAX_BLOCK};
    double ns[RUNS];
    for (int i = 0; i < MAX_BLOCK; i++)
        fibre_create(&fibres[i]);
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        one_run(fibres, counts[c]); /* starts them */
        for (int r = 0; r < RUNS; r++)
            ns[r] = one_run(fibres, counts[c]);
        qsort(ns, RUNS, sizeof *ns, by_size);
        printf("%d,%d,%d,%.1f,%.1f\n", counts[c], SWITCHES, RUNS, ns[0], ns[RUNS / 2]);
    }
    return 0;
}
