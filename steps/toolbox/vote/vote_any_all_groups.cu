/*
 * vote_any_all_groups: the same in cooperative groups.
 *
 * New:     against vote_any_all.cu: the warp is an object, and its mask is all lanes. So all come;
 *          a lane without a float says what changes nothing: no to "any", yes to "all".
 * Why:     a mask that the compiler knows costs nothing; one that is computed does.
 * Look at: the same votes: ./vote -n 64K -v 'vote_any_all*' --counters; on a GPU the time
 */
#include "words.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

static __device__ unsigned any_all_by_groups(unsigned mask, bool here, float x)
{
    (void)mask;
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cg::this_thread_block());
    unsigned any = warp.any(here && x > 0) != 0, all = warp.all(!here || x > 0) != 0;
    return any | all << 1;
}

extern const struct variant variant_vote_any_all_groups = {
    .name = "vote_any_all_groups",
    .what = "the same in cooperative groups",
    .launch = launch_words<any_all_by_groups>,
    .per_thread = ROWS_OF_A_WARP,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &vote_any_all_task,
};
