/*
 * masks_no_syncwarp: wrong on purpose: it relies on lanes that go in step.
 *
 * New:     against masks_shared.cu: nothing between the rounds.
 * Why:     since Volta the lanes of a warp need not go in step.
 * Look at: what the simulator says of it: ./masks -n 1000 -v masks_no_syncwarp
 */
#include "lanes.h"

static __global__ void masks_no_syncwarp(const float *in, size_t n, unsigned *out)
{
    __shared__ unsigned smem[1024];
    unsigned lane = threadIdx.x % 32, *mine = smem + threadIdx.x;
    *mine = my_word(in, n);
    __syncwarp();
    for (unsigned offset = 16; offset > 0; offset /= 2) {
        if (lane < offset)
            *mine += mine[offset];
    }
    if (lane == 0)
        atomicAdd(out, *mine);
}

static void launch(struct sum *s)
{
    launch_lanes(s, masks_no_syncwarp);
}

extern const struct variant variant_masks_no_syncwarp = {
    .name = "masks_no_syncwarp",
    .what = "the same without __syncwarp()",
    .launch = launch,
    .per_thread = 1,
    .flags = KNOWN_WRONG,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &masks_task,
};
