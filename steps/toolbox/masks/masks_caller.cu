/*
 * masks_caller: wrong on purpose: half of the lanes are named where all of them come.
 *
 * New:     against masks_half.cu: no branch.
 * Why:     lanes call that LOWER does not name.
 * Look at: what the simulator says of it: ./masks -n 1000 -v masks_caller
 */
#include "lanes.h"

static __global__ void masks_caller(const float *in, size_t n, unsigned *out)
{
    unsigned lane = threadIdx.x % 32, sum = my_word(in, n);
    sum += __shfl_down_sync(ALL, sum, 16);
    for (unsigned offset = 8; offset > 0; offset /= 2)
        sum += __shfl_down_sync(LOWER, sum, offset, 16);
    if (lane == 0)
        atomicAdd(out, sum);
}

static void launch(struct sum *s)
{
    launch_lanes(s, masks_caller);
}

extern const struct variant variant_masks_caller = {
    .name = "masks_caller",
    .what = "16 are named where all come",
    .launch = launch,
    .per_thread = 1,
    .flags = KNOWN_WRONG,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &masks_task,
};
