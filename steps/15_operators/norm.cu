/*
 * norm: the root of the sum of squares, for any floats.
 *
 * New:     against log_sum_exp.cu: the same state, {largest, sum of (x / largest)^2}, and the same
 *          scaling when a larger one comes.
 * Why:     2^64 squared is no float any more, and 2^-75 squared is 0 (norm_naive.cu).
 * Look at: ./step15 -v norm,norm_naive --known-wrong --pattern huge
 */
#include "norm.h"

static void launch(struct sum *s)
{
    launch_reduce(s, scaled_norm(), s->n);
}

extern const struct variant variant_norm = {
    .name = "norm",
    .what = "the root of the sum of squares; no square overflows",
    .launch = launch,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &norm_task,
};
