/*
 * v5: the compiler knows the block size (source 001).
 *
 * New:     against v4.cu: the block size is a template argument, so the compiler writes out the
 *          whole tree: no counter, no loop test, no round for a size that the block has not.
 * Why:     a loop that is written out has no counter and no test.
 * Look at: what that still gains: ./step03 -n 16M -v v4,v5
 *          On the simulator, that both do the same work: ./step03 -n 64K -v v4,v5 --counters
 */
#include "multi_pass.h"

#define LOADS 8

template <unsigned BLOCK> static __global__ void sum_blocks(float *in, float *partial, size_t n)
{
    unsigned tid = threadIdx.x;
    unsigned share = BLOCK * LOADS;            /* elements of this block */
    size_t begin = (size_t)blockIdx.x * share; /* its share of the array ... */
    unsigned count = n - begin < share ? (unsigned)(n - begin) : share;
    float *idata = in + begin; /* ... is idata[0] to idata[count - 1] */
    float sum = 0.0f;

#pragma unroll
    for (int k = 0; k < LOADS; k++) /* the compiler asks for all of them before it adds */
        sum += tid + k * BLOCK < count ? idata[tid + k * BLOCK] : 0.0f;
    if (tid < count)
        idata[tid] = sum;
    __syncthreads();

    for (unsigned stride = BLOCK / 2; stride > 32; stride /= 2) {
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
    /* A template is compiled once for each constant: one kernel for each block size. */
    pass_kernel *const kernels[] = {sum_blocks<64>, sum_blocks<128>, sum_blocks<256>,
                                    sum_blocks<512>, sum_blocks<1024>};
    multi_pass_sum(s, kernels[ceil_log2(s->block / 64)], LOADS, 0);
}

extern const struct variant variant_v5 = {
    .name = "v5",
    .what = "v4, fully unrolled: the block size is a template argument",
    .launch = launch,
    .per_thread = LOADS,
    .flags = OVERWRITES_INPUT,
    .block_rule = BLOCK_POWER_OF_TWO,
    .min_block = 64,
};
