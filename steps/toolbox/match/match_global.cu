/*
 * match_global: the histogram by match, with atomics in global memory.
 *
 * New:     against match.cu: no histogram of the block.
 * Why:     an atomic of global memory is the dearer one, so the more of them a match saves.
 * Look at: ./match -v match,match_global -n 64K --counters
 */
#include "match.h"

extern const struct variant variant_match_global = {
    .name = "match_global",
    .what = "as match, with no histogram of the block: atomics in global memory",
    .launch = launch_histogram<add_by_match, false>,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &match_task,
};
