/*
 * reduce_sum: the sum once more, as an operator.
 *
 * New:     against ../09_single_pass/ticket.cu: the additions have names. An operator says what a
 *          state is, how an element is added, how two states merge. The kernel is in reduce.h and
 *          does not care.
 * Why:     whatever may be combined in any order goes through the same kernel: diff this
 *          file with the next.
 * Look at: ./step15 -n 64K,1M,256M against ./step09
 */
#include "reduce_sum.h"

static void launch(struct sum *s)
{
    launch_reduce(s, reduce_sum(), s->n);
}

extern const struct variant variant_reduce_sum = {
    .name = "reduce_sum",
    .what = "a sum, as one operator of many",
    .launch = launch,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
};
