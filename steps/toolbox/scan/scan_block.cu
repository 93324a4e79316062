/*
 * scan_block: prefix sums of each block's share.
 *
 * New:     against scan_warp.cu: the sum of the warps before, warps_before() in scan.h.
 * Why:     a warp's sum is in its last lane: one more warp_scan() adds up what all warps found.
 * Look at: two barriers: ./scan -v 'scan_block*' --counters
 */
#include "scan_shares.h"

#define EACH 1 /* element of a thread */

static __device__ float block_scan(float x)
{
    float all;
    x = warp_scan(x);
    return warps_before(x, &all) + x;
}

extern const struct variant variant_scan_block = {
    .name = "scan_block",
    .what = "warps, then their totals, 2 barriers",
    .launch = launch_shares<block_scan, EACH>,
    .per_thread = EACH,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &scan_block_task,
};
