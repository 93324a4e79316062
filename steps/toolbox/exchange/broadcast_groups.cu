/*
 * broadcast_groups: the same in cooperative groups.
 *
 * New:     against broadcast.cu: the warp is an object, which knows its mask.
 * Why:     one cannot forget the mask.
 * Look at: the same shuffles: ./exchange -n 64K -v 'broadcast*' --counters
 */
#include "exchange.h"
#include "rows.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

static __global__ void broadcast_groups(const float *in, size_t n, float *out)
{
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cg::this_thread_block());
    float r[ROWS];
    load_rows(r, in, n);
#pragma unroll
    for (unsigned k = 0; k < ROWS; k++)
        r[k] -= warp.shfl(r[k], 0);
    store_rows(out, n, r);
}

static void launch(struct sum *s)
{
    launch_rows(s, broadcast_groups, 0);
}

extern const struct variant variant_broadcast_groups = {
    .name = "broadcast_groups",
    .what = "in cooperative groups",
    .launch = launch,
    .per_thread = ROWS,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &broadcast_task,
};
