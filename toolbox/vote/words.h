/*
 * words.h: one 32-bit word for each row of 32 floats; vote.cu and redux.cu. The last row may be a
 * partial one.
 */
#ifndef WORDS_H
#define WORDS_H

#include "toolbox.h"

/* Defined where the compiler makes code for a GPU that has __reduce_add_sync (sm_80 and later),
   for the host or the simulator. */
#ifdef SIMT_SIMULATOR
#define REDUX_CODE
#elif !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define REDUX_CODE
#endif

enum { ROWS_OF_A_WARP = 8 }; /* rows of a warp: so many loads are on their way at once */

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

/* Words of the answer: a struct task's words(). */
static inline size_t count_rows(size_t n, size_t row)
{
    (void)row;
    return n / 32 + (n % 32 != 0);
}

/* A variant on rows: its name, what it does, its word_fn and its task. */
#define WORD_VARIANT(NAME, WHAT, WORD, TASK)                                                       \
    {                                                                                              \
        .name = NAME, .what = WHAT, .launch = launch_words<WORD>, .per_thread = ROWS_OF_A_WARP,    \
        .block_rule = BLOCK_WHOLE_WARPS, .min_block = 32, .task = TASK                             \
    }

#endif
