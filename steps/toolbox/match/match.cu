/*
 * match: a histogram by __match_any_sync(): each lane learns which lanes have the same bin.
 *
 * New:     these elect one of them, and it adds how many they are: add_by_match() in match.h. Each
 *          block has a histogram of its own in shared memory.
 * Why:     one atomic for each different bin of a warp, in place of one for each lane.
 * Look at: few lanes share a bin, or all do: ./match --counters --pattern uniform, then
 *          ./match --counters --pattern ones
 */
#include "match.h"

extern const struct variant variant_match = {
    .name = "match",
    .what = "histogram of 64 bins: the lanes of one bin elect one that adds",
    .launch = launch_histogram<add_by_match, true>,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &match_task,
};
