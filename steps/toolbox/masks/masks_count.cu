/*
 * masks_count: the lanes that exist are counted, and then they vote which have a word.
 *
 * New:     against masks_tail.cu: any block is taken, and threads without a word stay away.
 * Why:     the mask names those that come, for it is made before the branch, while all are here.
 * Look at: a block of 100 threads: ./masks -n 1000 -b 100 -v masks_count
 */
#include "lanes.h"

static __global__ void masks_count(const float *in, size_t n, unsigned *out)
{
    unsigned lane = threadIdx.x % 32, to_end = blockDim.x - (threadIdx.x - lane);
    unsigned exist = to_end < 32 ? ALL >> (32 - to_end) : ALL;
    unsigned mask = __ballot_sync(exist, my_index() < n);
    if (my_index() < n) {
        unsigned sum = sum_over(mask, my_word(in, n));
        if (lane == first_of(mask))
            atomicAdd(out, sum);
    }
}

static void launch(struct sum *s)
{
    launch_lanes(s, masks_count);
}

extern const struct variant variant_masks_count = {
    .name = "masks_count",
    .what = "those that exist vote who has a word",
    .launch = launch,
    .per_thread = 1,
    .task = &masks_task,
};
