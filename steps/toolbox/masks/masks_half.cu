/*
 * masks_half: the upper half's words go down, then the lower half is alone.
 *
 * New:     against masks_tail.cu: a branch, and a mask of those that come into it.
 * Why:     what all lanes take part in stands outside of the branch.
 * Look at: the slip of masks_branch and of others: diff steps/toolbox/masks/masks_{half,branch}.cu
 */
#include "lanes.h"

static __global__ void masks_half(const float *in, size_t n, unsigned *out)
{
    unsigned lane = threadIdx.x % 32, sum = my_word(in, n);
    sum += __shfl_down_sync(ALL, sum, 16);
    if (lane < 16) {
        for (unsigned offset = 8; offset > 0; offset /= 2)
            sum += __shfl_down_sync(LOWER, sum, offset, 16);
        if (lane == 0)
            atomicAdd(out, sum);
    }
}

static void launch(struct sum *s)
{
    launch_lanes(s, masks_half);
}

extern const struct variant variant_masks_half = {
    .name = "masks_half",
    .what = "all lanes, then the lower 16 alone",
    .launch = launch,
    .per_thread = 1,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &masks_task,
};
