/*
 * mean_variance_batch: the 16 elements of a thread at once, then one merge.
 *
 * New:     against mean_variance.cu: of_batch() in place of 16 times add().
 * Why:     Welford's update divides for every element. A merge divides once, and a thread has its
 *          elements in registers anyway: it can afford to look at them twice.
 * Look at: ./step15 -v mean_variance,mean_variance_batch -n 256M
 */
#include "mean_variance.h"

static void launch(struct sum *s)
{
    launch_reduce<true>(s, mean_variance(), s->n);
}

extern const struct variant variant_mean_variance_batch = {
    .name = "mean_variance_batch",
    .what = "the same, 16 elements for each merge",
    .launch = launch,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &mean_variance_task,
};
