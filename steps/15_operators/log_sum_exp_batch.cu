/*
 * log_sum_exp_batch: the 16 elements of a thread at once, then one merge.
 *
 * New:     against log_sum_exp.cu: of_batch() in place of 16 times add().
 * Why:     each add() must know whether the element is the largest so far before the next can. A
 *          batch looks for its largest first, and its exponentials do not wait for each other.
 * Look at: ./step15 -v log_sum_exp,log_sum_exp_batch -n 256M
 */
#include "log_sum_exp.h"

static void launch(struct sum *s)
{
    launch_reduce<true>(s, log_sum_exp(), s->n);
}

extern const struct variant variant_log_sum_exp_batch = {
    .name = "log_sum_exp_batch",
    .what = "the same, 16 elements for each merge",
    .launch = launch,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &log_sum_exp_task,
};
