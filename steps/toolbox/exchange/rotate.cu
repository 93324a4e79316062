/*
 * rotate: each row of 32 moved on by one: each lane reads the next, the last of a row the first.
 *
 * New:     against broadcast.cu: every lane reads another lane.
 * Why:     a stencil or a scan reads its neighbours in the same way.
 * Look at: a shuffle for each row: ./exchange -n 64K -v 'rotate*' --counters
 */
#include "exchange.h"
#include "rows.h"

static __global__ void rotate(const float *in, size_t n, float *out)
{
    unsigned lane = threadIdx.x % 32;
    float r[ROWS];
    load_rows(r, in, n);
#pragma unroll
    for (unsigned k = 0; k < ROWS; k++) /* lane 32 is lane 0: a shuffle takes it modulo 32 */
        r[k] = __shfl_sync(ALL_LANES, r[k], element(k) + 1 < n ? lane + 1 : 0);
    store_rows(out, n, r);
}

static void launch(struct sum *s)
{
    launch_rows(s, rotate, 0);
}

extern const struct variant variant_rotate = {
    .name = "rotate",
    .what = "each row of 32 moved on by one",
    .launch = launch,
    .per_thread = ROWS,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &rotate_task,
};
