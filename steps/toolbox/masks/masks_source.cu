/*
 * masks_source: wrong on purpose: lanes are read that the mask does not name.
 *
 * New:     against masks_half.cu: the width is left out, and so is 32.
 * Why:     lane 8 reads lane 16. What it gets is never used for the sum; it is undefined all the
 *          same.
 * Look at: what the simulator says of it: ./masks -n 1000 -v masks_source
 */
#include "lanes.h"

static __global__ void masks_source(const float *in, size_t n, unsigned *out)
{
    unsigned lane = threadIdx.x % 32, sum = my_word(in, n);
    sum += __shfl_down_sync(ALL, sum, 16);
    if (lane < 16) {
        for (unsigned offset = 8; offset > 0; offset /= 2)
            sum += __shfl_down_sync(LOWER, sum, offset);
        if (lane == 0)
            atomicAdd(out, sum);
    }
}

static void launch(struct sum *s)
{
    launch_lanes(s, masks_source);
}

extern const struct variant variant_masks_source = {
    .name = "masks_source",
    .what = "a lane is read that is not named",
    .launch = launch,
    .per_thread = 1,
    .flags = KNOWN_WRONG,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &masks_task,
};
