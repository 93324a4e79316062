/*
 * cooperative_source: wrong on purpose: the source's own loop (003).
 *
 * New:     against cooperative.cu: every block begins at its own thread number and steps by its own
 *          size. So each sums the whole array, and the result is gridDim.x times too large.
 * Look at: ./step07 -v cooperative_source
 */
#include "library/parts/warp_sum.h"
#include "resident_grid.h"

static __global__ void sum_blocks(const float *in, float *partial, float *out, size_t n)
{
    unsigned tid = threadIdx.x;
    float sum = 0.0f;

    for (size_t i = tid; i < n; i += blockDim.x) /* of the whole array, in every block */
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

extern const struct variant variant_cooperative_source = {
    .name = "cooperative_source",
    .what = "wrong on purpose: the source's loop, gridDim.x times too large",
    .launch = launch,
    .flags = KNOWN_WRONG,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
};
