/*
 * masks_groups: the lanes that happen to be here add up theirs, and the first of them hands it in.
 *
 * New:     against masks_count.cu: __activemask() in place of the vote.
 * Why:     it is right for any groups, since each works for itself.
 * Look at: under any schedule: ./masks -n 1000 -v masks_groups --schedule 1
 */
#include "lanes.h"

static __global__ void masks_groups(const float *in, size_t n, unsigned *out)
{
    if (my_index() < n) {
        unsigned mask = __activemask();
        unsigned sum = sum_over(mask, my_word(in, n));
        if (threadIdx.x % 32 == first_of(mask))
            atomicAdd(out, sum);
    }
}

static void launch(struct sum *s)
{
    launch_lanes(s, masks_groups);
}

extern const struct variant variant_masks_groups = {
    .name = "masks_groups",
    .what = "__activemask(): each group for itself",
    .launch = launch,
    .per_thread = 1,
    .task = &masks_task,
};
