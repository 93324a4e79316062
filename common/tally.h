/* tally.h: what the simulator counted while a variant ran. On a GPU there are
   no such counts, and these functions do nothing. */
#ifndef TALLY_H
#define TALLY_H

#include "options.h"
#include "simt.h"

#include <stdbool.h>
#include <stddef.h>

enum { MAX_PASSES = 40 };

struct tally {
    bool counted;  /* bytes, atomics, barriers, shuffles are known */
    bool requests; /* so are requests, sectors, wavefronts, efficiency */
    struct simt_counts total;
    size_t launches;                       /* how many, and ... */
    struct simt_counts passes[MAX_PASSES]; /* ... the first of them, one by one */
};

/* Bytes of global memory that the threads asked for, loads and stores. */
uint64_t global_bytes(const struct simt_counts *counts);

/* Before the first launch: what to count and trace, and the order of warps. */
void tally_setup(const struct options *options);

/* Before a variant's launches, and after them. */
void tally_start(void);
void tally_stop(struct tally *tally, bool requests);

#endif
