/* softmax.h: what the files of the softmax share. */
#ifndef SOFTMAX_H
#define SOFTMAX_H

#include "lesson.h"
#include "task.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MOST_BLOCK      512   /* threads of a block, so that each may have 128 registers */
#define MOST_OF_A_WARP  2048  /* floats of a row that a warp takes: 64 registers of each lane */
#define MOST_OF_A_BLOCK 16384 /* that a block or a cluster takes */

/* Compares the answer with a softmax in double precision; see softmax_check.c for the bound. */
void check_softmax(const struct answer *answer, struct verdict *verdict);

/* A row for each block, for each cluster of four; see softmax_block.cu. */
void launch_softmax_block(struct sum *s);
void launch_softmax_cluster(struct sum *s);

#ifdef __cplusplus
}
#endif

/* Whether all rows begin at multiples of 16 bytes: a row is a multiple of 32 floats. */
static inline bool by_four(const struct sum *s)
{
    return (uintptr_t)s->in % 16 == 0 && (uintptr_t)s->out % 16 == 0;
}

/* What every kernel here looks like: so many rows of so many floats. */
typedef void softmax_kernel(const float *in, size_t rows, unsigned row, float *out);

#endif
