/*
 * scan_warp_shared: the sums of scan_warp.cu through shared memory.
 *
 * New:     against scan_warp.cu: each round is a store and a load, with the warp's barrier after
 *          both.
 * Why:     it is what the shuffles are to be compared with.
 * Look at: wavefronts in place of shuffles: ./scan -v scan_warp,scan_warp_shared --counters
 */
#include "scan_shares.h"

#define EACH 8 /* elements of a thread, all loaded before the first scan */

static __device__ float warp_shared(float x)
{
    __shared__ float smem[1024];
    unsigned tid = threadIdx.x, lane = tid % 32;

    for (unsigned d = 1; d < 32; d *= 2) {
        smem[tid] = x;
        __syncwarp(); /* all have stored */
        if (lane >= d)
            x += smem[tid - d];
        __syncwarp(); /* all have read: smem may change */
    }
    return x;
}

extern const struct variant variant_scan_warp_shared = {
    .name = "scan_warp_shared",
    .what = "rows of 32 through shared memory",
    .launch = launch_shares<warp_shared, EACH>,
    .per_thread = EACH,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &scan_warp_task,
};
