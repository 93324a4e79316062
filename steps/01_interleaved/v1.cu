/*
 * v1: the first threads do the additions (source 001).
 *
 * New:     against v0.cu: the same additions in the same order, but thread k does the k-th of a
 *          round. So whole warps work, and whole warps have nothing to do.
 * Why:     an addition costs a warp the same, whether one of its 32 lanes works or all do.
 * Look at: the SIMT efficiency of both, and as many sectors in a quarter of the requests:
 *          ./step01 -n 64K --counters
 */
#include "multi_pass.h"

static __global__ void sum_blocks(float *in, float *partial, size_t n)
{
    unsigned tid = threadIdx.x;
    unsigned share = blockDim.x;               /* elements of this block */
    size_t begin = (size_t)blockIdx.x * share; /* its share of the array ... */
    unsigned count = n - begin < share ? (unsigned)(n - begin) : share;
    float *idata = in + begin; /* ... is idata[0] to idata[count - 1] */

    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        /* The first threads do the work, whichever element it is on: whole warps are
           busy, and the others have nothing to do but wait. */
        unsigned index = 2 * stride * tid;
        if (index + stride < count)
            idata[index] += idata[index + stride];
        __syncthreads(); /* the next round reads what other threads have just written */
    }
    if (tid == 0)
        partial[blockIdx.x] = count > 0 ? idata[0] : 0.0f;
}

static void launch(struct sum *s)
{
    multi_pass_sum(s, sum_blocks, 1, 0); /* 1 element a thread, no shared memory */
}

extern const struct variant variant_v1 = {
    .name = "v1",
    .what = "neighbours first, the first threads: index = 2 * stride * tid",
    .launch = launch,
    .per_thread = 1,
    .flags = OVERWRITES_INPUT,
    .min_block = 2,
};
