/*
 * redux_shuffle: the same by shuffles.
 *
 * New:     against redux.cu: five rounds of a butterfly.
 * Why:     it runs on every GPU, and floats can be added up in the same way.
 * Look at: five shuffles for each row: ./vote -n 64K -v 'redux*' --counters
 */
#include "words.h"

/* Integers can be added in any order, so all lanes get the same sum, bit for bit. A float of 0 has
   no bit set: the lanes without a float add nothing. */
static __device__ unsigned by_shuffles(unsigned mask, bool here, float x)
{
    unsigned sum = __float_as_uint(x);
    (void)mask, (void)here;
#pragma unroll
    for (int m = 16; m > 0; m /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, m);
    return sum;
}

extern const struct variant variant_redux_shuffle = {
    .name = "redux_shuffle",
    .what = "five shuffles",
    .launch = launch_words<by_shuffles>,
    .per_thread = ROWS_OF_A_WARP,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &redux_task,
};
