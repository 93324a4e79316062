/*
 * atomic_per_warp: an atomic for each warp.
 *
 * New:     against atomic_per_block.cu: no sum of the block, and so no shared memory and no
 *          barrier; lane 0 of each warp adds to the result.
 * Why:     it shows what the block's sum is worth: as many times more atomics as a block has warps.
 * Look at: ./step05 -n 16M -v atomic_per_block,atomic_per_warp (on the simulator the atomics)
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
    sum = warp_sum(sum);
    if (tid % 32 == 0)
        atomicAdd(out, sum); /* in any order: so the last bits may differ */
}

static void launch(struct sum *s)
{
    s->grid = stride_grid(s);
    s->depth = stride_steps(s) + 5 + (size_t)s->grid * (s->block / 32); /* warps in a row */
    /* The atomics add to what is there, so a zero must be there first. */
    CUDA_CHECK(cudaMemsetAsync(s->out, 0, sizeof(float), s->stream));
    sum_blocks<<<s->grid, s->block, 0, s->stream>>>(s->in, s->out, s->n);
    CUDA_CHECK(cudaGetLastError());
}

extern const struct variant variant_atomic_per_warp = {
    .name = "atomic_per_warp",
    .what = "grid-stride loop, one atomic for each warp",
    .launch = launch,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
};
