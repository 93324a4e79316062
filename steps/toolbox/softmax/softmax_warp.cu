/*
 * softmax_warp: y = exp(x - max) / sum of exp(x - max) of each row of a matrix, a row for each
 * warp. softmax_lanes.h is the kernel, row.h what all softmaxes share, lesson.c the check.
 *
 * New:     what the warp's tools are for: a row is read once, stays in registers while its lanes
 *          agree on the maximum and the sum by shuffles, and is written once.
 * Why:     nothing but the row itself comes from memory, and nothing but the answer goes there.
 * Look at: ./softmax --row 32,1K,16K
 */
#include "softmax_lanes.h"

extern const struct variant variant_softmax_warp = {
    .name = "softmax_warp",
    .what = "a row for each warp, in registers; rows of 32 and 64 for 8 and 16 lanes",
    .launch = launch_by_lanes<false>,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .max_block = MOST_BLOCK,
    .task = &softmax_lanes_task,
};
