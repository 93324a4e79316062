/*
 * mean_variance: mean and variance, in one pass.
 *
 * New:     against argmax.cu: a state of three numbers, and a merge that is arithmetic.
 * Why:     the sum of squares less the square of the sum loses every digit where the mean is large
 *          (variance_naive.cu). Welford's update (1962) never forms either; Chan, Golub and LeVeque
 *          (1979) merge two such states.
 * Look at: ./step15 -v mean_variance,variance_naive --known-wrong --pattern far
 */
#include "mean_variance.h"

static void launch(struct sum *s)
{
    launch_reduce(s, mean_variance(), s->n);
}

extern const struct variant variant_mean_variance = {
    .name = "mean_variance",
    .what = "mean and variance, by merges of Welford's states",
    .launch = launch,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &mean_variance_task,
};
