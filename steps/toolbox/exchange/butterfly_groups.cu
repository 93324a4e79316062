/*
 * butterfly_groups: the same in cooperative groups.
 *
 * New:     against butterfly.cu: the five rounds are one call.
 * Why:     the library has the butterfly ready, for the warp as an object.
 * Look at: the same shuffles: ./exchange -n 64K -v 'butterfly*' --counters
 */
#include "exchange.h"
#include "rows.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

static __global__ void butterfly_groups(const float *in, size_t n, float *out)
{
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cg::this_thread_block());
    float r[ROWS];
    load_rows(r, in, n);
#pragma unroll
    for (unsigned k = 0; k < ROWS; k++)
        r[k] = cg::reduce(warp, r[k], cg::plus<float>()); /* CUDA 13: the same five swaps */
    store_rows(out, n, r);
}

static void launch(struct sum *s)
{
    launch_rows(s, butterfly_groups, 0);
}

extern const struct variant variant_butterfly_groups = {
    .name = "butterfly_groups",
    .what = "by cg::reduce()",
    .launch = launch,
    .per_thread = ROWS,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &butterfly_task,
};
