/*
 * masks_edge: wrong on purpose: an offset leads past the segment's edge.
 *
 * New:     against masks_width.cu: the offset 16 of a whole warp.
 * Why:     past the edge a lane reads itself. That is defined, so nothing warns.
 * Look at: twice the sum, which only the check finds: ./masks -n 1000 -v masks_edge
 */
#include "lanes.h"

static __global__ void masks_edge(const float *in, size_t n, unsigned *out)
{
    const unsigned segment = 16;
    unsigned sum = my_word(in, n);
    for (unsigned offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(ALL, sum, offset, segment);
    if (threadIdx.x % 32 % segment == 0)
        atomicAdd(out, sum);
}

static void launch(struct sum *s)
{
    launch_lanes(s, masks_edge);
}

extern const struct variant variant_masks_edge = {
    .name = "masks_edge",
    .what = "an offset past the segment's edge",
    .launch = launch,
    .per_thread = 1,
    .flags = KNOWN_WRONG,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &masks_task,
};
