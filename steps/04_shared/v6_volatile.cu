/*
 * v6_volatile: wrong on purpose: the source's own last warp.
 *
 * New:     against v6.cu: volatile in place of __syncwarp().
 * Why:     it was right as long as the lanes of a warp went in step; since Volta they need not.
 * Look at: what the simulator says of it: ./step04 -v v6_volatile
 */
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
    if (tid < 32) { /* volatile makes every load and store happen, but no lane waits for another */
        volatile float *vmem = smem;
#pragma unroll
        for (unsigned stride = 32; stride > 0; stride /= 2)
            vmem[tid] = vmem[tid] + vmem[tid + stride];
    }
    if (tid == 0)
        partial[blockIdx.x] = smem[0];
}

static void launch(struct sum *s)
{
    multi_pass_sum(s, sum_blocks, LOADS, s->block * sizeof(float));
}

extern const struct variant variant_v6_volatile = {
    .name = "v6_volatile",
    .what = "wrong on purpose: v6 with volatile where __syncwarp() belongs",
    .launch = launch,
    .per_thread = LOADS,
    .flags = KNOWN_WRONG,
    .block_rule = BLOCK_POWER_OF_TWO,
    .min_block = 64,
};
