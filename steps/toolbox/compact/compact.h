/*
 * compact.h: what every kind of stream compaction answers: the elements > 0 of n floats, then
 * poison, and in out[n] how many they are, as a whole number of 32 bits.
 */
#ifndef COMPACT_H
#define COMPACT_H

#include "toolbox/toolbox.h"

#ifdef __cplusplus
extern "C" {
#endif

/* n + 1: a struct task's words(). */
size_t compact_words(size_t n, size_t row);

/* The kept elements and their number: a struct task's written(). */
size_t compact_written(const float *in, size_t n);

/* Each kept element must be there just once, and nothing after them. Of each `group` elements of
   the input, beginning at a multiple of it, those kept must stand side by side and in the order of
   the input; the groups may come in any order; from 8M elements on, only a part of the neighbours
   is looked at. group 1: no order. */
void check_compaction(const struct answer *answer, struct verdict *verdict, size_t group);

#ifdef __cplusplus
}
#endif

/* out[n], set to zero on the stream of this run. */
static inline unsigned *zeroed_number(const struct sum *s)
{
    unsigned *number = (unsigned *)s->out + s->n;
    CUDA_CHECK(cudaMemsetAsync(number, 0, sizeof *number, s->stream));
    return number;
}

#endif
