/*
 * vote_any_all_shared: the same through shared memory.
 *
 * New:     against vote_any_all.cu: five rounds of stores and loads, for both bits at once.
 * Why:     it is what one would do without a vote.
 * Look at: ten wavefronts for each row: ./vote -n 64K -v 'vote_any_all*' --counters
 */
#include "words.h"

/* Bit 0: somebody says yes; bit 1: somebody says no. */
static __device__ unsigned any_all_by_shared(unsigned mask, bool here, float x)
{
    (void)mask;
    unsigned said = or_by_shared((unsigned)(here && x > 0) | (unsigned)(here && !(x > 0)) << 1);
    return said ^ 2;
}

extern const struct variant variant_vote_any_all_shared = {
    .name = "vote_any_all_shared",
    .what = "the same by five rounds through shared memory",
    .launch = launch_words<any_all_by_shared>,
    .per_thread = ROWS_OF_A_WARP,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &vote_any_all_task,
};
