/*
 * maximum: the largest element.
 *
 * New:     against reduce_sum.cu: is_larger() in place of +.
 * Why:     fmaxf() ignores a NaN, so an array that holds one would have a maximum that looks right.
 *          is_larger() (larger.h) keeps it, as NumPy and PyTorch do. One more comparison costs
 *          nothing where the memory sets the pace.
 * Look at: ./step15 -v maximum --pattern nan
 */
#include "maximum.h"

static void launch(struct sum *s)
{
    launch_reduce(s, maximum(), s->n);
}

extern const struct variant variant_maximum = {
    .name = "maximum",
    .what = "the largest element; a NaN if there is one",
    .launch = launch,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &maximum_task,
};
