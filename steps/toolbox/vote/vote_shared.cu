/*
 * vote_shared: the same through shared memory.
 *
 * New:     against vote.cu: five rounds of stores and loads, until every lane has all bits.
 * Why:     it is what one would do without a vote.
 * Look at: ten wavefronts for each row: ./vote -n 64K -v 'vote*' --counters
 */
#include "words.h"

/* Here all 32 lanes come; what those without a float bring changes nothing. */
static __device__ unsigned ballot_by_shared(unsigned mask, bool here, float x)
{
    (void)mask;
    return or_by_shared((unsigned)(here && x > 0) << threadIdx.x % 32);
}

extern const struct variant variant_vote_shared = {
    .name = "vote_shared",
    .what = "the same by five rounds through shared memory",
    .launch = launch_words<ballot_by_shared>,
    .per_thread = ROWS_OF_A_WARP,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &vote_task,
};
