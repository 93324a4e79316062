/*
 * v7: the last 64 values in registers.
 *
 * New:     against ../04_shared/v6.cu: the last warp's tree is made of shuffles.
 * Why:     a shuffle reads another lane's register: no store, no load, no barrier of the warp.
 * Look at: shuffles in place of wavefronts: ./step04 -n 64K -v v6 --counters, then
 *          ./step05 -n 64K -v v7 --counters
 */
#include "library/parts/warp_sum.h"
#include "multi_pass.h"

#define LOADS 8

static __global__ void sum_blocks(float *in, float *partial, size_t n)
{
    extern __shared__ float smem[]; /* the third value between the chevrons says how much */
    unsigned tid = threadIdx.x;
    unsigned share = blockDim.x * LOADS;       /* elements of this block */
    size_t begin = (size_t)blockIdx.x * share; /* its share of the array ... */
    unsigned count = n - begin < share ? (unsigned)(n - begin) : share;
    float *idata = in + begin; /* ... is idata[0] to idata[count - 1] */
    float sum = 0.0f;

#pragma unroll
    for (int k = 0; k < LOADS; k++) /* the compiler asks for all of them before it adds */
        sum += tid + k * blockDim.x < count ? idata[tid + k * blockDim.x] : 0.0f;
    smem[tid] = sum;
    __syncthreads();

    for (unsigned stride = blockDim.x / 2; stride > 32; stride /= 2) {
        if (tid < stride)
            smem[tid] += smem[tid + stride];
        __syncthreads(); /* the next round reads what other threads have just written */
    }
    if (tid < 32) /* the last 64 values: each lane of one warp takes two */
        sum = warp_sum(smem[tid] + smem[tid + 32]);
    if (tid == 0)
        partial[blockIdx.x] = sum;
}

static void launch(struct sum *s)
{
    multi_pass_sum(s, sum_blocks, LOADS, s->block * sizeof(float));
}

extern const struct variant variant_v7 = {
    .name = "v7",
    .what = "v6, the last 64 values by shuffles",
    .launch = launch,
    .per_thread = LOADS,
    .block_rule = BLOCK_POWER_OF_TWO,
    .min_block = 64,
};
