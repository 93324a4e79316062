/*
 * masks_twelve: wrong on purpose: a width that is none.
 *
 * New:     against masks_width.cu: segments of 12 lanes.
 * Why:     a width is a power of two up to 32.
 * Look at: what the simulator says of it: ./masks -n 1000 -v masks_twelve
 */
#include "lanes.h"

static __global__ void masks_twelve(const float *in, size_t n, unsigned *out)
{
    const unsigned segment = 12;
    unsigned sum = my_word(in, n);
    for (unsigned offset = 8; offset > 0; offset /= 2)
        sum += __shfl_down_sync(ALL, sum, offset, segment);
    if (threadIdx.x % 32 % segment == 0)
        atomicAdd(out, sum);
}

static void launch(struct sum *s)
{
    launch_lanes(s, masks_twelve);
}

extern const struct variant variant_masks_twelve = {
    .name = "masks_twelve",
    .what = "segments of 12 lanes",
    .launch = launch,
    .per_thread = 1,
    .flags = KNOWN_WRONG,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &masks_task,
};
