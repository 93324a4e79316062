/*
 * two_pass: two launches, no atomics (sources 003 and 004).
 *
 * New:     against ../05_warp_shuffle/atomic_per_block.cu: each block writes its sum to a place of
 *          its own; a second launch of one block adds them.
 * Why:     no block waits for another at one address, nothing has to be zeroed first, and the
 *          order of the additions is fixed: the same bits in every run.
 * Look at: the same err/bound: ./step06 -n 16M && ./step06 -n 16M (simulator: with --schedule 1)
 *          The price is a second launch: ./step05 -n 64K && ./step06 -n 64K (there: --counters)
 */
#include "05_warp_shuffle/grid_stride.h"
#include "library/parts/warp_sum.h"

static __global__ void sum_blocks(const float *in, float *partial, size_t n)
{
    unsigned tid = threadIdx.x;
    size_t first = (size_t)blockIdx.x * blockDim.x + tid;
    size_t stride = (size_t)gridDim.x * blockDim.x; /* not in 32 bits: it could overflow */
    float sum = 0.0f;

    for (size_t i = first; i < n; i += stride) /* all threads of the grid step on together */
        sum += in[i];
    sum = block_sum(sum);
    if (tid == 0)
        partial[blockIdx.x] = sum;
}

static void launch(struct sum *s)
{
    s->grid = stride_grid(s);
    s->depth = stride_steps(s) + 5 + 5 + blocks_for(s->grid, s->block) + 5 + 5; /* twice */
    sum_blocks<<<s->grid, s->block, 0, s->stream>>>(s->in, s->scratch, s->n);
    CUDA_CHECK(cudaGetLastError());
    /* Launches in one stream run one after the other: all partial sums are there. */
    sum_blocks<<<1, s->block, 0, s->stream>>>(s->scratch, s->out, s->grid);
    CUDA_CHECK(cudaGetLastError());
}

extern const struct variant variant_two_pass = {
    .name = "two_pass",
    .what = "one partial sum for each block, then one block adds them",
    .launch = launch,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
};
