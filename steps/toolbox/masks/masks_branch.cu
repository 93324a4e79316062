/*
 * masks_branch: wrong on purpose: all lanes are named where half of them come.
 *
 * New:     against masks_half.cu: the first shuffle stands inside the branch.
 * Why:     the upper half of ALL never comes there.
 * Look at: what the simulator says of it: ./masks -n 1000 -v masks_branch
 */
#include "lanes.h"

static __global__ void masks_branch(const float *in, size_t n, unsigned *out)
{
    unsigned lane = threadIdx.x % 32, sum = my_word(in, n);
    if (lane < 16) {
        sum += __shfl_down_sync(ALL, sum, 16);
        for (unsigned offset = 8; offset > 0; offset /= 2)
            sum += __shfl_down_sync(LOWER, sum, offset, 16);
        if (lane == 0)
            atomicAdd(out, sum);
    }
}

static void launch(struct sum *s)
{
    launch_lanes(s, masks_branch);
}

extern const struct variant variant_masks_branch = {
    .name = "masks_branch",
    .what = "all are named where 16 come",
    .launch = launch,
    .per_thread = 1,
    .flags = KNOWN_WRONG,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &masks_task,
};
