/*
 * redux_groups: the same in cooperative groups.
 *
 * New:     against redux.cu: the groups choose for themselves: the instruction where there is one.
 * Why:     a mask that the compiler knows costs nothing; one that is computed does.
 * Look at: on a GPU the time: ./vote -n 256M -v 'redux*'
 */
#include "words.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

static __device__ unsigned by_groups(unsigned mask, bool here, float x)
{
    (void)mask, (void)here;
    return cg::reduce(cg::tiled_partition<32>(cg::this_thread_block()), __float_as_uint(x),
                      cg::plus<unsigned>());
}

extern const struct variant variant_redux_groups = {
    .name = "redux_groups",
    .what = "cg::reduce",
    .launch = launch_words<by_groups>,
    .per_thread = ROWS_OF_A_WARP,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &redux_task,
};
