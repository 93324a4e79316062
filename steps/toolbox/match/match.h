/*
 * match.h: a histogram of n floats in 64 bins, for the variants of this topic: which lane adds,
 * and where the bins are.
 */
#ifndef MATCH_H
#define MATCH_H

#include "toolbox/toolbox.h"

#define BINS  64
#define LOADS 8 /* floats of a thread that are in flight at once */

/* out[] is the number of floats in each bin, as whole numbers of 32 bits. */
extern const struct task match_task;

/* [-1, 1) in 64 equal steps. What lies below is in the first bin, what lies above in the last; a
   NaN is in the first, since fmaxf() returns its other argument. */
static inline __host__ __device__ unsigned bin_of(float x)
{
    return (unsigned)fminf(fmaxf((x + 1.0f) * (BINS / 2), 0.0f), BINS - 1.0f);
}

/* All 32 lanes call this, each with its bin; `here`: whether it has a float. The lowest lane of
   those with one bin adds for them. */
static inline __device__ void add_by_match(unsigned *bins, unsigned bin, bool here)
{
    unsigned mask = __ballot_sync(0xffffffff, here); /* all lanes learn which are in */
    if (!here)
        return;
    unsigned peers = __match_any_sync(mask, bin);
    if (threadIdx.x % 32 == (unsigned)__ffs(peers) - 1)
        atomicAdd(&bins[bin], __popc(peers));
}

/* Each lane for itself. */
static inline __device__ void add_each(unsigned *bins, unsigned bin, bool here)
{
    if (here)
        atomicAdd(&bins[bin], 1);
}

typedef void add_fn(unsigned *bins, unsigned bin, bool here);

/* PRIVATE: a histogram of this block in shared memory, which is added to that of the grid at the
   end. Else every atomic goes to out[] itself. */
template <add_fn ADD, bool PRIVATE>
static __global__ void histogram(const float *in, size_t n, unsigned *out)
{
    __shared__ unsigned of_block[BINS];
    unsigned *bins = PRIVATE ? of_block : out;
    size_t tile = (size_t)blockDim.x * LOADS;

    for (unsigned i = threadIdx.x; PRIVATE && i < BINS; i += blockDim.x)
        of_block[i] = 0;
    __syncthreads();
    for (size_t first = blockIdx.x * tile; first < n; first += gridDim.x * tile) {
        float x[LOADS];
#pragma unroll
        for (unsigned k = 0; k < LOADS; k++) {
            size_t i = first + k * blockDim.x + threadIdx.x;
            x[k] = i < n ? in[i] : 0.0f;
        }
#pragma unroll
        for (unsigned k = 0; k < LOADS; k++)
            ADD(bins, bin_of(x[k]), first + k * blockDim.x + threadIdx.x < n);
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; PRIVATE && i < BINS; i += blockDim.x)
        if (of_block[i] > 0)
            atomicAdd(&out[i], of_block[i]);
}

/* Enough blocks to fill the GPU, and no more than the floats need. */
template <add_fn ADD, bool PRIVATE> static void launch_histogram(struct sum *s)
{
    unsigned wanted = blocks_for(s->n, (size_t)s->block * LOADS), most = 8 * s->sms;
    s->grid = wanted < most ? wanted : most;
    CUDA_CHECK(cudaMemsetAsync(s->out, 0, BINS * sizeof(unsigned), s->stream));
    histogram<ADD, PRIVATE><<<s->grid, s->block, 0, s->stream>>>(s->in, s->n, (unsigned *)s->out);
    CUDA_CHECK(cudaGetLastError());
}

#endif
