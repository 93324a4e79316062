/*
 * cooperative: one launch, and a barrier for the whole grid (source 003).
 *
 * New:     against ../06_two_pass/two_pass.cu: the second pass moves into the first kernel, after
 *          grid.sync().
 * Why:     one launch in place of two, and still no atomics and a fixed order of additions.
 * Look at: step 06 beside it: ./step06 -n 64K,16M && ./step07 -n 64K,16M (simulator: --counters)
 */
#include "library/parts/warp_sum.h"
#include "resident_grid.h"

static __global__ void sum_blocks(const float *in, float *partial, float *out, size_t n)
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
    /* No block passes before all arrive, so all blocks must be on the GPU at the same time.
       It is a barrier of the block as well: block_sum() may use its shared memory again. */
    cooperative_groups::this_grid().sync();
    if (blockIdx.x > 0)
        return;
    sum = 0.0f;
    for (unsigned i = tid; i < gridDim.x; i += blockDim.x)
        sum += partial[i];
    sum = block_sum(sum);
    if (tid == 0)
        *out = sum;
}

static void launch(struct sum *s)
{
    launch_resident(s, sum_blocks);
}

extern const struct variant variant_cooperative = {
    .name = "cooperative",
    .what = "grid.sync(), then block 0 adds the partial sums",
    .launch = launch,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
};
