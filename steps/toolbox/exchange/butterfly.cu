/*
 * butterfly: in five rounds the lanes l and l ^ m swap; then every lane has the sum of its row.
 *
 * New:     against rotate.cu: the lanes swap in pairs, and the pairs change from round to round.
 * Why:     the tree of step 05 leaves the sum in lane 0 only. Here all get it, in as many steps.
 * Look at: five shuffles for each row: ./exchange -n 64K -v 'butterfly*' --counters
 */
#include "exchange.h"
#include "rows.h"

static __global__ void butterfly(const float *in, size_t n, float *out)
{
    float r[ROWS];
    load_rows(r, in, n);
    for (unsigned m = 16; m > 0; m /= 2)
#pragma unroll
        for (unsigned k = 0; k < ROWS; k++)
            r[k] += __shfl_xor_sync(ALL_LANES, r[k], m);
    store_rows(out, n, r);
}

static void launch(struct sum *s)
{
    launch_rows(s, butterfly, 0);
}

extern const struct variant variant_butterfly = {
    .name = "butterfly",
    .what = "each lane gets the sum of its row",
    .launch = launch,
    .per_thread = ROWS,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &butterfly_task,
};
