/*
 * softmax_warp_shared: softmax_warp.cu with lanes that meet in shared memory.
 *
 * New:     against softmax_warp.cu: each round of the maximum and of the sum is a store and a load,
 *          not a shuffle: partner() in row.h.
 * Why:     it is what the shuffles are to be compared with.
 * Look at: ./softmax -v 'softmax_warp*' --row 1K -n 64K --counters
 */
#include "softmax_lanes.h"

extern const struct variant variant_softmax_warp_shared = {
    .name = "softmax_warp_shared",
    .what = "the same, but the lanes meet in shared memory",
    .launch = launch_by_lanes<true>,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .max_block = MOST_BLOCK,
    .task = &softmax_lanes_task,
};
