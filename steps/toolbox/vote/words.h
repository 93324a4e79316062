/*
 * words.h: one 32-bit word for each row of 32 floats: the kernel that reads the rows, and hands
 * each of them to the function that makes its word. The last row may be a partial one.
 */
#ifndef WORDS_H
#define WORDS_H

#include "lesson.h"
#include "task.h"

/* The ballot of "is x > 0?"; whether any (bit 0) and whether all (bit 1) say yes; the sum of the
   floats' bits as whole numbers, modulo 2^32. */
extern const struct task vote_task, vote_any_all_task, redux_task;

enum { ROWS_OF_A_WARP = 8 }; /* so many loads are in flight at once */

/* Makes the word of a row; all 32 lanes call it. mask: the lanes that have a float of the row;
   here: whether this lane is one of them; x: its float, 0 if it has none. What lane 0 returns is
   the word: it has a float of every row. */
typedef unsigned word_fn(unsigned mask, bool here, float x);

template <word_fn WORD>
static __global__ void word_of_each_row(const float *in, size_t n, unsigned *out)
{
    unsigned lane = threadIdx.x % 32;
    size_t warp = (size_t)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    size_t row = warp * ROWS_OF_A_WARP;
    float x[ROWS_OF_A_WARP];

#pragma unroll
    for (unsigned k = 0; k < ROWS_OF_A_WARP; k++) {
        size_t i = (row + k) * 32 + lane;
        x[k] = i < n ? in[i] : 0.0f;
    }
#pragma unroll
    for (unsigned k = 0; k < ROWS_OF_A_WARP; k++) {
        size_t first = (row + k) * 32;
        if (first >= n)
            return; /* the whole warp, so no lane is missed */
        unsigned lanes = n - first < 32 ? (unsigned)(n - first) : 32;
        unsigned word = WORD(0xffffffff >> (32 - lanes), lane < lanes, x[k]);
        if (lane == 0)
            out[row + k] = word;
    }
}

template <word_fn WORD> static void launch_words(struct sum *s)
{
    s->grid = blocks_for(s->n, (size_t)s->block * ROWS_OF_A_WARP);
    word_of_each_row<WORD><<<s->grid, s->block, 0, s->stream>>>(s->in, s->n, (unsigned *)s->out);
    CUDA_CHECK(cudaGetLastError());
}

/* The OR of the words of 32 lanes; all get it: the butterfly, with shared memory in place of a
   shuffle. Twice a round
   __syncwarp(): before anyone reads, and before anyone writes again. */
static inline __device__ unsigned or_by_shared(unsigned word)
{
    __shared__ unsigned words[1024];
    unsigned *mine = &words[threadIdx.x / 32 * 32], lane = threadIdx.x % 32;

#pragma unroll
    for (unsigned m = 16; m > 0; m /= 2) {
        mine[lane] = word;
        __syncwarp();
        word |= mine[lane ^ m];
        __syncwarp();
    }
    return word;
}

#endif
