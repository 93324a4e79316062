/*
 * v7_warps: each warp adds up its own registers.
 *
 * New:     against v7_atomic.cu: no tree over the block in shared memory. Each warp adds up its 32
 *          sums by shuffles, and one warp what the warps found.
 * Why:     a block waits once, not once a round; shared memory holds a word for each warp.
 * Look at: barriers and wavefronts: ./step05 -n 64K -v v7_atomic,v7_warps --counters
 */
#include "lesson.h"
#include "library/parts/warp_sum.h"

#define LOADS 8

static __global__ void sum_blocks(const float *in, float *out, size_t n)
{
    unsigned tid = threadIdx.x;
    unsigned share = blockDim.x * LOADS;       /* elements of this block */
    size_t begin = (size_t)blockIdx.x * share; /* its share of the array ... */
    unsigned count = n - begin < share ? (unsigned)(n - begin) : share;
    const float *idata = in + begin; /* ... is idata[0] to idata[count - 1] */
    float sum = 0.0f;

#pragma unroll
    for (int k = 0; k < LOADS; k++) /* the compiler asks for all of them before it adds */
        sum += tid + k * blockDim.x < count ? idata[tid + k * blockDim.x] : 0.0f;
    sum = block_sum(sum);
    if (tid == 0)
        atomicAdd(out, sum); /* in any order: so the last bits may differ */
}

static void launch(struct sum *s)
{
    s->grid = blocks_for(s->n, (size_t)s->block * LOADS);
    s->depth = LOADS - 1 + ceil_log2(s->block) + s->grid; /* the blocks one after another */
    /* The atomics add to what is there, so a zero must be there first. */
    CUDA_CHECK(cudaMemsetAsync(s->out, 0, sizeof(float), s->stream));
    sum_blocks<<<s->grid, s->block, 0, s->stream>>>(s->in, s->out, s->n);
    CUDA_CHECK(cudaGetLastError());
}

extern const struct variant variant_v7_warps = {
    .name = "v7_warps",
    .what = "v7_atomic, each warp adds up its own registers: one barrier",
    .launch = launch,
    .per_thread = LOADS,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
};
