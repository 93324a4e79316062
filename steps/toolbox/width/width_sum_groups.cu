/*
 * width_sum_groups: the same in cooperative groups.
 *
 * New:     against width_sum.cu: the part is an object, a tile of 8 lanes, and its sum one call.
 * Why:     the library has the rounds ready, for any width.
 * Look at: the same shuffles: ./width -n 64K -v 'width_sum*' --counters
 */
#include "sums.h"
#include "toolbox/exchange/rows.h"
#include "width.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

static __global__ void width_sum_groups(const float *in, size_t n, float *out)
{
    cg::thread_block_tile<WIDTH> tile = cg::tiled_partition<WIDTH>(cg::this_thread_block());
    float r[ROWS];
    load_rows(r, in, n);
#pragma unroll
    for (unsigned k = 0; k < ROWS; k++)
        r[k] = cg::reduce(tile, r[k], cg::plus<float>());
    store_sums(out, n, r);
}

static void launch(struct sum *s)
{
    launch_rows(s, width_sum_groups, 0);
}

extern const struct variant variant_width_sum_groups = {
    .name = "width_sum_groups",
    .what = "by cg::reduce() of tiles",
    .launch = launch,
    .per_thread = ROWS,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &width_sum_task,
};
