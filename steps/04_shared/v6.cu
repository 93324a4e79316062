/*
 * v6: the tree in shared memory (source 001).
 *
 * New:     against ../03_unrolled/v4.cu: the sums of the threads go to shared memory, and the tree
 *          works there. A thread without elements brings a 0, so no round needs a guard.
 * Why:     shared memory lies inside the SM, close by and private to the block. Global memory is
 *          read once and not written, so the input survives.
 * Look at: bytes per element, and wavefronts: ./step03 -n 64K -v v4 --counters, then
 *          ./step04 -n 64K -v v6 --counters
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
    if (tid < 32) { /* one warp: it waits for its own lanes, which need not go in step */
#pragma unroll
        for (unsigned stride = 32; stride > 0; stride /= 2) {
            if (tid < stride)
                smem[tid] += smem[tid + stride];
            __syncwarp(); /* the next round reads what other lanes have just written */
        }
    }
    if (tid == 0)
        partial[blockIdx.x] = smem[0];
}

static void launch(struct sum *s)
{
    multi_pass_sum(s, sum_blocks, LOADS, s->block * sizeof(float));
}

extern const struct variant variant_v6 = {
    .name = "v6",
    .what = "v4 with the tree in shared memory",
    .launch = launch,
    .per_thread = LOADS,
    .block_rule = BLOCK_POWER_OF_TWO,
    .min_block = 64,
};
