/* counters.h: what the simulator counted while a variant ran. On a GPU there are
   no such counts, and these functions do nothing. */
#ifndef COUNTERS_H
#define COUNTERS_H

#include "options.h"
#include "simt.h"

#include <stdbool.h>
#include <stddef.h>

enum { MAX_PASSES = 40 };

struct counters {
    bool counted;  /* bytes, atomics, barriers, shuffles are known */
    bool requests; /* so are requests, sectors, wavefronts, efficiency */
    struct simt_counts total;
    size_t launches;                       /* how many, and ... */
    struct simt_counts passes[MAX_PASSES]; /* ... the first of them, one by one */
};

/* Bytes of global memory that the threads asked for, loads and stores. */
uint64_t global_bytes(const struct simt_counts *counts);

/* Before the first launch: what to count and trace, and the order of warps. */
void counters_setup(const struct options *options);

/* Before a variant's launches, and after them. */
void counters_start(void);
void counters_stop(struct counters *counters, bool requests);

#endif
