/*
 * log_sum_exp: log(sum of e^x), for any x, in one pass.
 *
 * New:     against mean_variance.cu: the state is {largest, sum of e^(x - largest)}.
 * Why:     e^89 is no float any more. So every term is taken relative to the largest element so
 *          far; when a larger one comes, the sum is scaled down. That is what a softmax does, and
 *          attention (../toolbox/softmax/README.md).
 * Look at: ./step15 -v log_sum_exp --pattern far
 */
#include "log_sum_exp.h"

static void launch(struct sum *s)
{
    launch_reduce(s, log_sum_exp(), s->n);
}

extern const struct variant variant_log_sum_exp = {
    .name = "log_sum_exp",
    .what = "the logarithm of the sum of exponentials",
    .launch = launch,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &log_sum_exp_task,
};
