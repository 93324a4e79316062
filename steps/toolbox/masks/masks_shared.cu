/*
 * masks_shared: the twin of masks_tail through shared memory.
 *
 * New:     against masks_tail.cu: memory in place of registers; __syncwarp() between the rounds.
 * Why:     a shuffle orders registers. For memory there is __syncwarp(): what lanes wrote before,
 *          those named see after it.
 * Look at: beside one slip: ./masks -n 1000 -v masks_shared,masks_no_syncwarp
 */
#include "lanes.h"

static __global__ void masks_shared(const float *in, size_t n, unsigned *out)
{
    __shared__ unsigned smem[1024];
    unsigned lane = threadIdx.x % 32, *mine = smem + threadIdx.x;
    *mine = my_word(in, n);
    __syncwarp();
    for (unsigned offset = 16; offset > 0; offset /= 2) {
        if (lane < offset)
            *mine += mine[offset];
        __syncwarp();
    }
    if (lane == 0)
        atomicAdd(out, *mine);
}

static void launch(struct sum *s)
{
    launch_lanes(s, masks_shared);
}

extern const struct variant variant_masks_shared = {
    .name = "masks_shared",
    .what = "a tree in shared memory",
    .launch = launch,
    .per_thread = 1,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &masks_task,
};
