/*
 * v7_atomic: one launch.
 *
 * New:     against v7.cu: each block adds its sum to the result with an atomic.
 * Why:     no second launch for the partial sums. The price: the order of the additions is open.
 * Look at: small n: ./step05 -n 64K -v v7,v7_atomic (simulator: atomics, and fewer barriers)
 */
#include "lesson.h"
#include "library/parts/warp_sum.h"

#define LOADS 8

static __global__ void sum_blocks(const float *in, float *out, size_t n)
{
    extern __shared__ float smem[]; /* the third value between the chevrons says how much */
    unsigned tid = threadIdx.x;
    unsigned share = blockDim.x * LOADS;       /* elements of this block */
    size_t begin = (size_t)blockIdx.x * share; /* its share of the array ... */
    unsigned count = n - begin < share ? (unsigned)(n - begin) : share;
    const float *idata = in + begin; /* ... is idata[0] to idata[count - 1] */
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
        atomicAdd(out, sum); /* in any order: so the last bits may differ */
}

static void launch(struct sum *s)
{
    s->grid = blocks_for(s->n, (size_t)s->block * LOADS);
    s->depth = LOADS - 1 + ceil_log2(s->block) + s->grid; /* the blocks one after another */
    /* The atomics add to what is there, so a zero must be there first. */
    CUDA_CHECK(cudaMemsetAsync(s->out, 0, sizeof(float), s->stream));
    sum_blocks<<<s->grid, s->block, s->block * sizeof(float), s->stream>>>(s->in, s->out, s->n);
    CUDA_CHECK(cudaGetLastError());
}

extern const struct variant variant_v7_atomic = {
    .name = "v7_atomic",
    .what = "v7, the blocks' sums by atomics: one launch",
    .launch = launch,
    .per_thread = LOADS,
    .block_rule = BLOCK_POWER_OF_TWO,
    .min_block = 64,
};
