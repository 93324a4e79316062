/*
 * match_global_each: the histogram with an atomic in global memory for each float.
 *
 * New:     against match_global.cu: no election; as one would write it down first.
 * Why:     it is what the others are to be compared with.
 * Look at: ./match -v 'match_global*' -n 64K --counters
 */
#include "match.h"

extern const struct variant variant_match_global_each = {
    .name = "match_global_each",
    .what = "an atomic in global memory for each float",
    .launch = launch_histogram<add_each, false>,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &match_task,
};
