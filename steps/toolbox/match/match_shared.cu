/*
 * match_shared: the histogram with an atomic in shared memory for each float.
 *
 * New:     against match.cu: no election, add_each() in match.h.
 * Why:     a match takes time too: this is what it is to be compared with.
 * Look at: ./match -v match,match_shared -n 64K --counters
 */
#include "match.h"

extern const struct variant variant_match_shared = {
    .name = "match_shared",
    .what = "an atomic in shared memory for each float",
    .launch = launch_histogram<add_each, true>,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &match_task,
};
