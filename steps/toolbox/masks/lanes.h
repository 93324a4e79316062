/*
 * lanes.h: what the kernels of this topic share: which word is a thread's, how the lanes of a mask
 * add up theirs, and the launch.
 */
#ifndef LANES_H
#define LANES_H

#include "lesson.h"
#include "task.h"

/* The n words of the array, added up as whole numbers (modulo 2^32), in out[0]. Any order gives the
   same bits, so a wrong one is no rounding. */
extern const struct task masks_task;

#define ALL   0xffffffffu
#define LOWER 0x0000ffffu /* lanes 0 to 15 */

static inline __device__ size_t my_index(void)
{
    return (size_t)blockIdx.x * blockDim.x + threadIdx.x;
}

/* Lanes after the end of the array bring a 0, which changes no sum. */
static inline __device__ unsigned my_word(const float *in, size_t n)
{
    return my_index() < n ? __float_as_uint(in[my_index()]) : 0;
}

static inline __device__ unsigned first_of(unsigned mask)
{
    return (unsigned)__ffs(mask) - 1;
}

/* The sum over the lanes that `mask` names, whichever they are; all of them call this. */
static inline __device__ unsigned sum_over(unsigned mask, unsigned value)
{
    unsigned sum = 0;
    for (unsigned rest = mask; rest != 0; rest &= rest - 1) /* takes out the lowest */
        sum += __shfl_sync(mask, value, first_of(rest));
    return sum;
}

/* Adds to out[0]. */
typedef void word_kernel(const float *in, size_t n, unsigned *out);

/* A thread for each word, and a zero to begin with. */
static inline void launch_lanes(struct sum *s, word_kernel *kernel)
{
    s->grid = blocks_for(s->n, s->block);
    CUDA_CHECK(cudaMemsetAsync(s->out, 0, sizeof(unsigned), s->stream));
    kernel<<<s->grid, s->block, 0, s->stream>>>(s->in, s->n, (unsigned *)s->out);
    CUDA_CHECK(cudaGetLastError());
}

#endif
