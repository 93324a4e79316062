/*
 * scan_block_exclusive: the sums of scan_block.cu without the element itself.
 *
 * New:     against scan_block.cu: the sum of the lanes before comes from the lane below.
 * Why:     as scan_warp_exclusive.cu.
 * Look at: one shuffle more: ./scan -v scan_block,scan_block_exclusive --counters
 */
#include "scan_shares.h"

#define EACH 1 /* element of a thread */

static __device__ float block_exclusive(float x)
{
    float all;
    x = warp_scan(x);
    return warps_before(x, &all) + from_below(x);
}

extern const struct variant variant_scan_block_exclusive = {
    .name = "scan_block_exclusive",
    .what = "without the element itself",
    .launch = launch_shares<block_exclusive, EACH>,
    .per_thread = EACH,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &scan_block_exclusive_task,
};
