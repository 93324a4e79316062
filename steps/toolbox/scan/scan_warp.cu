/*
 * scan_warp: prefix sums of each row of 32 floats, in the registers of a warp.
 *
 * New:     warp_scan() in scan.h: five shuffles up and five additions; scan_shares.h is the kernel.
 * Why:     a shuffle is an exchange without a store, a load and a wait between them.
 * Look at: barriers, shuffles, shared memory: ./scan -v 'scan_warp*,scan_block*' --counters
 */
#include "scan_shares.h"

#define EACH 8 /* elements of a thread, all loaded before the first scan */

extern const struct variant variant_scan_warp = {
    .name = "scan_warp",
    .what = "rows of 32, 5 shuffles",
    .launch = launch_shares<warp_scan, EACH>,
    .per_thread = EACH,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &scan_warp_task,
};
