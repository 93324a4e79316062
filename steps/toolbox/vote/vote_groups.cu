/*
 * vote_groups: the same in cooperative groups.
 *
 * New:     against vote.cu: the warp is an object, and its mask is all lanes. So all come.
 * Why:     a mask that the compiler knows costs nothing; one that is computed does.
 * Look at: the same votes: ./vote -n 64K -v 'vote*' --counters; on a GPU the time
 */
#include "words.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

static __device__ unsigned ballot_by_groups(unsigned mask, bool here, float x)
{
    (void)mask;
    return cg::tiled_partition<32>(cg::this_thread_block()).ballot(here && x > 0);
}

extern const struct variant variant_vote_groups = {
    .name = "vote_groups",
    .what = "the same in cooperative groups",
    .launch = launch_words<ballot_by_groups>,
    .per_thread = ROWS_OF_A_WARP,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &vote_task,
};
