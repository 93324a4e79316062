/*
 * scan_warp_groups: the sums of scan_warp.cu by cooperative groups.
 *
 * New:     against scan_warp.cu: one call of the library.
 * Why:     nothing to write, nothing to get wrong. What does it make of it?
 * Look at: how many shuffles: ./scan -v scan_warp,scan_warp_groups --counters
 */
#include "scan_shares.h"
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

#define EACH 8 /* elements of a thread, all loaded before the first scan */

static __device__ float warp_groups(float x)
{
    return cg::inclusive_scan(cg::tiled_partition<32>(cg::this_thread_block()), x,
                              cg::plus<float>());
}

extern const struct variant variant_scan_warp_groups = {
    .name = "scan_warp_groups",
    .what = "cg::inclusive_scan of a tile",
    .launch = launch_shares<warp_groups, EACH>,
    .per_thread = EACH,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &scan_warp_library_task,
};
