/*
 * masks_tail: no thread is absent: each one comes, with a word or without one.
 *
 * New:     against step 05: the words are added up as whole numbers, in any order, so that a wrong
 *          sum is no rounding.
 * Why:     it is the simplest way to be right: the mask names all lanes, and all lanes come.
 * Look at: the slip of masks_full_tail: diff steps/toolbox/masks/masks_{tail,full_tail}.cu
 */
#include "lanes.h"

static __global__ void masks_tail(const float *in, size_t n, unsigned *out)
{
    unsigned sum = my_word(in, n);
    for (unsigned offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(ALL, sum, offset);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, sum);
}

static void launch(struct sum *s)
{
    launch_lanes(s, masks_tail);
}

extern const struct variant variant_masks_tail = {
    .name = "masks_tail",
    .what = "all lanes come, with a 0 if they have no word",
    .launch = launch,
    .per_thread = 1,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &masks_task,
};
