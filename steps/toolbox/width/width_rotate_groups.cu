/*
 * width_rotate_groups: the same in cooperative groups.
 *
 * New:     against width_rotate.cu: the part is an object, a tile of 8 lanes.
 * Why:     one cannot forget the width, and each tile may go its own way.
 * Look at: the same shuffles: ./width -n 64K -v 'width_rotate*' --counters
 */
#include "toolbox/exchange/rows.h"
#include "width.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

static __global__ void width_rotate_groups(const float *in, size_t n, float *out)
{
    cg::thread_block_tile<WIDTH> tile = cg::tiled_partition<WIDTH>(cg::this_thread_block());
    unsigned next = (tile.thread_rank() + 1) % tile.num_threads();
    float r[ROWS];
    load_rows(r, in, n);
#pragma unroll
    for (unsigned k = 0; k < ROWS; k++)
        r[k] = tile.shfl(r[k], element(k) + 1 < n ? next : 0);
    store_rows(out, n, r);
}

static void launch(struct sum *s)
{
    launch_rows(s, width_rotate_groups, 0);
}

extern const struct variant variant_width_rotate_groups = {
    .name = "width_rotate_groups",
    .what = "by tiles of 8 lanes",
    .launch = launch,
    .per_thread = ROWS,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &width_rotate_task,
};
