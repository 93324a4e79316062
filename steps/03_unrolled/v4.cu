/*
 * v4: the last warp no longer waits for the whole block (source 001).
 *
 * New:     against v3x8.cu: one warp adds up the last 64 values, and in place of a barrier of the
 *          block a barrier of the warp stands between its rounds.
 * Why:     six of the rounds need no other warp.
 * Look at: fewer barriers: ./step03 -n 64K -v v3x8,v4 --counters
 */
#include "multi_pass.h"

#define LOADS 8

static __global__ void sum_blocks(float *in, float *partial, size_t n)
{
    unsigned tid = threadIdx.x;
    unsigned share = blockDim.x * LOADS;       /* elements of this block */
    size_t begin = (size_t)blockIdx.x * share; /* its share of the array ... */
    unsigned count = n - begin < share ? (unsigned)(n - begin) : share;
    float *idata = in + begin; /* ... is idata[0] to idata[count - 1] */
    float sum = 0.0f;

#pragma unroll
    for (int k = 0; k < LOADS; k++) /* the compiler asks for all of them before it adds */
        sum += tid + k * blockDim.x < count ? idata[tid + k * blockDim.x] : 0.0f;
    if (tid < count)
        idata[tid] = sum;
    __syncthreads();

    for (unsigned stride = blockDim.x / 2; stride > 32; stride /= 2) {
        if (tid < stride && tid + stride < count)
            idata[tid] += idata[tid + stride];
        __syncthreads(); /* the next round reads what other threads have just written */
    }
    if (tid < 32) { /* one warp: it waits for its own lanes, which need not go in step */
#pragma unroll
        for (unsigned stride = 32; stride > 0; stride /= 2) {
            if (tid < stride && tid + stride < count)
                idata[tid] += idata[tid + stride];
            __syncwarp(); /* the next round reads what other lanes have just written */
        }
    }
    if (tid == 0)
        partial[blockIdx.x] = count > 0 ? idata[0] : 0.0f;
}

static void launch(struct sum *s)
{
    multi_pass_sum(s, sum_blocks, LOADS, 0);
}

extern const struct variant variant_v4 = {
    .name = "v4",
    .what = "v3x8, the last warp unrolled, with __syncwarp()",
    .launch = launch,
    .per_thread = LOADS,
    .flags = OVERWRITES_INPUT,
    .block_rule = BLOCK_POWER_OF_TWO,
    .min_block = 64,
};
