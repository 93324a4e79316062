/*
 * vote_any_all: is any of a row's floats greater than 0? Are all?
 *
 * New:     against vote.cu: two votes, and of each one bit.
 * Why:     where the lanes need not be distinguished, yes or no is the whole answer.
 * Look at: two votes for each row: ./vote -n 64K -v 'vote_any_all*' --counters
 */
#include "words.h"

/* Bit 0: is any x > 0? Bit 1: are all? */
static __device__ unsigned any_all(unsigned mask, bool here, float x)
{
    if (!here)
        return 0;
    unsigned any = __any_sync(mask, x > 0) != 0, all = __all_sync(mask, x > 0) != 0;
    return any | all << 1;
}

extern const struct variant variant_vote_any_all = {
    .name = "vote_any_all",
    .what = "is any of a row's floats > 0? are all?",
    .launch = launch_words<any_all>,
    .per_thread = ROWS_OF_A_WARP,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &vote_any_all_task,
};
