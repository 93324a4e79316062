/*
 * argmax: the largest element, and where it is.
 *
 * New:     against maximum.cu: the state is a pair.
 * Why:     of equal elements the first must win, whichever thread saw which: so merge() compares
 *          the numbers, too. Then the order of merging does not matter.
 * Look at: ./step15 -v argmax --pattern ones (the number is 0); the shuffles of a pair are four,
 *          one for each word: make BACKEND=sim step15 && ./step15 -v maximum,argmax -n 64K
 */
#include "argmax.h"

static void launch(struct sum *s)
{
    launch_reduce(s, argmax(), s->n);
}

extern const struct variant variant_argmax = {
    .name = "argmax",
    .what = "the largest element and its number",
    .launch = launch,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &argmax_task,
};
