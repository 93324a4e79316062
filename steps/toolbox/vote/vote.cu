/*
 * vote: the ballot: which of a row's 32 floats are greater than 0?
 *
 * New:     against step 05: each lane brings a yes or a no, and all lanes get one word, with a bit
 *          for each lane.
 * Why:     one instruction tells every lane what all the others have.
 * Look at: a vote for each row: ./vote -n 64K -v 'vote*' --counters
 */
#include "words.h"

/* The mask names the lanes that come here, and no other: those with no float stay out, and a lane
   that is not named has no bit. */
static __device__ unsigned ballot(unsigned mask, bool here, float x)
{
    return here ? __ballot_sync(mask, x > 0) : 0;
}

extern const struct variant variant_vote = {
    .name = "vote",
    .what = "ballot: which of a row's 32 floats are > 0",
    .launch = launch_words<ballot>,
    .per_thread = ROWS_OF_A_WARP,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &vote_task,
};
