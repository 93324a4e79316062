/*
 * price.h: how many instructions a GPU needs for a basic block, judged by the code that was
 * compiled here, and what the source says of it: which loops nvcc unrolls.
 */
#pragma once

#include "thread.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A kernel has begun with these places: objdump begins to read it while it runs. */
void price_begin(void *const pcs[ENTRIES]);
/* Before the others are asked about these places: reads this program's own code of their functions
   by objdump (of binutils). Returns NULL, or why that cannot be. */
const char *price_look_up(const void *const *pcs, size_t count);
/* Instructions of the block that begins at pc, the return address of its call of
   __sanitizer_cov_trace_pc(); without loads, stores, atomics, shuffles and barriers, which are
   requests of their own. 0 if it is unknown. */
struct price {
    double all;       /* instructions; of these ... */
    double integer;   /* ... those of the units for whole numbers alone ... */
    double special;   /* ... and those for reciprocals, conversions and the like */
    double doubtful;  /* what nvcc may do without: branches, if it makes conditional instructions of
                         them, and half of the arithmetic on 64 bits */
    double divisions; /* of floats */
    double products;  /* of whole numbers: one instruction, or more on an older GPU */
    unsigned accesses; /* loads and stores that it announces: those of a thread's own array are
                          registers on a GPU, and their addresses cost nothing */
};
struct price price_of_block(const void *pc);
/* A function of the C library that the block calls and that has no price, or NULL. */
const char *price_unknown_call(const void *pc);

/* The loops under #pragma unroll that hold this place: a set of bits, each a loop. */
uint64_t price_loops(const void *pc);
/* Does nvcc make one loop of the unrolled one of this load and the one of that place? */
bool price_may_merge(const void *load, const void *next);
/* Does the source throw away what the atomic at this place returns? */
bool price_is_unused(const void *pc);
