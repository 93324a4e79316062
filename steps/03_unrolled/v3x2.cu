/*
 * v3x2: 2 loads for each thread before the tree (source 001: v3).
 *
 * New:     against ../02_sequential/v2.cu: a block has LOADS times as many elements, and each
 *          thread adds up LOADS of them before the tree begins.
 * Why:     a load takes hundreds of cycles. Several that are asked for at once share the wait:
 *          eight take longer to come than one, but far less than eight times as long.
 * Look at: 2, 4 and 8 loads: ./step03 -n 16M -v v3x2,v3x4,v3x8 (on the simulator the barriers)
 */
#include "multi_pass.h"

#define LOADS 2

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

    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride && tid + stride < count)
            idata[tid] += idata[tid + stride];
        __syncthreads(); /* the next round reads what other threads have just written */
    }
    if (tid == 0)
        partial[blockIdx.x] = count > 0 ? idata[0] : 0.0f;
}

static void launch(struct sum *s)
{
    multi_pass_sum(s, sum_blocks, LOADS, 0);
}

extern const struct variant variant_v3x2 = {
    .name = "v3x2",
    .what = "2 loads per thread before the tree",
    .launch = launch,
    .per_thread = LOADS,
    .flags = OVERWRITES_INPUT,
    .block_rule = BLOCK_POWER_OF_TWO,
};
