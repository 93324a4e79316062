/*
 * block_reduce: source 004's block reduce.
 *
 * New:     against v7_warps.cu: a thread has 16 elements, not 8.
 * Why:     twice as many bytes in flight, and half as many blocks, whose sums need an atomic.
 * Look at: ./step05 -n 16M -v v7_warps,block_reduce (the simulator shows the atomics: -n 1M)
 */
#include "lesson.h"
#include "library/parts/warp_sum.h"

#define LOADS 16 /* source 004: NUM_PER_THREAD */

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

extern const struct variant variant_block_reduce = {
    .name = "block_reduce",
    .what = "16 loads per thread, one atomic for each block",
    .launch = launch,
    .per_thread = LOADS,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
};
