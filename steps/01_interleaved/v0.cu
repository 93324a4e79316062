/*
 * v0: a tree of additions, neighbours first (source 001).
 *
 * New:     one thread for each element. Each block of threads adds up its own share of the array,
 *          in place: pairs first, then pairs of pairs, until one value is left.
 * Why:     a tree over b values needs log2(b) rounds where one thread alone needs b - 1 additions.
 * Look at: how few lanes work: ./step01 -n 64K -v v0 --counters, the column SIMT efficiency
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
        /* Every second thread works, then every fourth ...: a warp of 32 threads runs
           as long as one of its lanes has something to do, and the other lanes wait. */
        if (tid % (2 * stride) == 0 && tid + stride < count)
            idata[tid] += idata[tid + stride];
        __syncthreads(); /* the next round reads what other threads have just written */
    }
    if (tid == 0)
        partial[blockIdx.x] = count > 0 ? idata[0] : 0.0f;
}

static void launch(struct sum *s)
{
    multi_pass_sum(s, sum_blocks, 1, 0); /* 1 element a thread, no shared memory */
}

extern const struct variant variant_v0 = {
    .name = "v0",
    .what = "neighbours first, every second thread: tid % (2 * stride) == 0",
    .launch = launch,
    .per_thread = 1,
    .flags = OVERWRITES_INPUT,
    .min_block = 2,
};
