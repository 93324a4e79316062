/*
 * masks_activemask: wrong on purpose: as if all lanes came in one group.
 *
 * New:     against masks_groups.cu: lane 0 hands the sum in, and not the first lane of the group.
 * Why:     __activemask() may give any group; the sums of those without lane 0 are lost.
 * Look at: right by luck, until a schedule parts the lanes:
 *          ./masks -n 1000 -v masks_activemask --schedule 1
 */
#include "lanes.h"

static __global__ void masks_activemask(const float *in, size_t n, unsigned *out)
{
    if (my_index() < n) {
        unsigned mask = __activemask();
        unsigned sum = sum_over(mask, my_word(in, n));
        if (threadIdx.x % 32 == 0)
            atomicAdd(out, sum);
    }
}

static void launch(struct sum *s)
{
    launch_lanes(s, masks_activemask);
}

extern const struct variant variant_masks_activemask = {
    .name = "masks_activemask",
    .what = "lane 0 for all groups",
    .launch = launch,
    .per_thread = 1,
    .flags = KNOWN_WRONG,
    .task = &masks_task,
};
