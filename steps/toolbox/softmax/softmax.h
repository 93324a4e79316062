/*
 * softmax.h: what the variants of the softmax share on the host: how many threads take a row, how
 * an answer is checked.
 */
#ifndef SOFTMAX_H
#define SOFTMAX_H

#include "toolbox/toolbox.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MOST_BLOCK      512   /* threads of a block, so that each may have 128 registers */
#define MOST_FOURS      16    /* float4 of a thread: 64 registers */
#define MOST_OF_A_WARP  2048  /* floats of a row that a warp takes: 64 registers of each lane */
#define MOST_OF_A_BLOCK 16384 /* that a block or a cluster takes */

/* Compares the answer with a softmax in double precision; see lesson.c for the bound. */
void check_softmax(const struct answer *answer, struct verdict *verdict);

#ifdef __cplusplus
}
#endif

/* Whether all rows begin at multiples of 16 bytes: a row is a multiple of 32 floats. */
static inline bool by_four(const struct sum *s)
{
    return (uintptr_t)s->in % 16 == 0 && (uintptr_t)s->out % 16 == 0;
}

/* The threads for so many floats, in whole warps: those of -b if a thread has 8 to 64 of them then,
   else fewer, or more. With 4 a block is done too soon: the SM starts blocks rather than loads. */
static inline unsigned threads_for(size_t floats, unsigned wanted)
{
    size_t most = (floats + 7) / 8, least = (floats + 4 * MOST_FOURS - 1) / (4 * MOST_FOURS);
    size_t threads = wanted > most ? most : wanted < least ? least : wanted;
    return (unsigned)((threads + 31) / 32 * 32);
}

/* How many float4 each of so many threads has of so many floats, at most. */
static inline size_t vectors_for(size_t floats, unsigned threads)
{
    return (floats + 4 * threads - 1) / (4 * threads);
}

/* What every kernel here looks like: so many rows of so many floats. */
typedef void softmax_kernel(const float *in, size_t rows, unsigned row, float *out);

#endif
