/*
 * scan_warp_exclusive: the same sums without the element itself.
 *
 * New:     against scan_warp.cu: one shuffle more, which moves each sum one lane up.
 * Why:     "how much comes before me?" is what one who wants a place of his own asks.
 * Look at: the sixth shuffle: ./scan -v scan_warp,scan_warp_exclusive --counters
 */
#include "scan_shares.h"

#define EACH 8 /* elements of a thread, all loaded before the first scan */

/* Lane 0 has nothing before it. Not x - own: that rounds again, and makes a NaN of a NaN that the
   sum should not have yet. */
static __device__ float warp_exclusive(float x)
{
    return from_below(warp_scan(x));
}

extern const struct variant variant_scan_warp_exclusive = {
    .name = "scan_warp_exclusive",
    .what = "one shuffle more",
    .launch = launch_shares<warp_exclusive, EACH>,
    .per_thread = EACH,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &scan_warp_exclusive_task,
};
