/*
 * atomic_per_block: a grid-stride loop (source 000).
 *
 * New:     against v7_warps.cu: the grid has as many blocks as fill the GPU, whatever n is, and
 *          each thread steps over the array until it ends.
 * Why:     any grid sums any n, and few blocks mean few atomics. But one load at a time is on its
 *          way for each thread.
 * Look at: ./step05 -n 16M -v v7_warps,atomic_per_block (the simulator shows the atomics: -n 1M)
 */
#include "grid_stride.h"
#include "library/parts/warp_sum.h"

static __global__ void sum_blocks(const float *in, float *out, size_t n)
{
    unsigned tid = threadIdx.x;
    size_t first = (size_t)blockIdx.x * blockDim.x + tid;
    size_t stride = (size_t)gridDim.x * blockDim.x; /* not in 32 bits: it could overflow */
    float sum = 0.0f;

    for (size_t i = first; i < n; i += stride) /* all threads of the grid step on together */
        sum += in[i];
    sum = block_sum(sum);
    if (tid == 0)
        atomicAdd(out, sum); /* in any order: so the last bits may differ */
}

static void launch(struct sum *s)
{
    s->grid = stride_grid(s);
    s->depth = stride_steps(s) + 5 + 5 + s->grid; /* thread, warp, warps, blocks in a row */
    /* The atomics add to what is there, so a zero must be there first. */
    CUDA_CHECK(cudaMemsetAsync(s->out, 0, sizeof(float), s->stream));
    sum_blocks<<<s->grid, s->block, 0, s->stream>>>(s->in, s->out, s->n);
    CUDA_CHECK(cudaGetLastError());
}

extern const struct variant variant_atomic_per_block = {
    .name = "atomic_per_block",
    .what = "grid-stride loop, one atomic for each block",
    .launch = launch,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
};
