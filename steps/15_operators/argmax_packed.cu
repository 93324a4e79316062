/*
 * argmax_packed: the same answer, from one number of 64 bits.
 *
 * New:     against argmax.cu: value and number are packed into one word, so that the larger word
 *          is the one that wins.
 * Why:     a merge is one comparison, a shuffle moves two words in place of four. And atomicMax()
 *          could merge the blocks. But numbers end at 2^32 - 2.
 * Look at: ./step15 -v 'argmax*' -n 1M,256M
 */
#include "argmax_packed.h"

static void launch(struct sum *s)
{
    launch_reduce(s, argmax_packed(), s->n);
}

extern const struct variant variant_argmax_packed = {
    .name = "argmax_packed",
    .what = "the same, packed into 64 bits",
    .launch = launch,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &argmax_packed_task,
};
