/*
 * masks_width: two segments of 16 lanes, each with a sum of its own.
 *
 * New:     against masks_tail.cu: the last argument of the shuffle, its width.
 * Why:     the width says which lane is read; the mask still names all 32, since all 32 call.
 * Look at: the slip of masks_edge: diff steps/toolbox/masks/masks_{width,edge}.cu
 */
#include "lanes.h"

static __global__ void masks_width(const float *in, size_t n, unsigned *out)
{
    const unsigned segment = 16;
    unsigned sum = my_word(in, n);
    for (unsigned offset = 8; offset > 0; offset /= 2)
        sum += __shfl_down_sync(ALL, sum, offset, segment);
    if (threadIdx.x % 32 % segment == 0)
        atomicAdd(out, sum);
}

static void launch(struct sum *s)
{
    launch_lanes(s, masks_width);
}

extern const struct variant variant_masks_width = {
    .name = "masks_width",
    .what = "two segments of 16 lanes",
    .launch = launch,
    .per_thread = 1,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &masks_task,
};
