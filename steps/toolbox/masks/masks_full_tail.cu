/*
 * masks_full_tail: wrong on purpose: the mask names lanes that are gone.
 *
 * New:     against masks_tail.cu: threads without a word return; any block is taken.
 * Why:     the mask names lanes that have returned or, in a block of 100, that never were.
 * Look at: what the simulator says of it: ./masks -n 1000 -v masks_full_tail
 */
#include "lanes.h"

static __global__ void masks_full_tail(const float *in, size_t n, unsigned *out)
{
    if (my_index() >= n)
        return;
    unsigned sum = my_word(in, n);
    for (unsigned offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(ALL, sum, offset);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, sum);
}

static void launch(struct sum *s)
{
    launch_lanes(s, masks_full_tail);
}

extern const struct variant variant_masks_full_tail = {
    .name = "masks_full_tail",
    .what = "some return before, and are named",
    .launch = launch,
    .per_thread = 1,
    .flags = KNOWN_WRONG,
    .task = &masks_task,
};
