/*
 * width_rotate: each row of 8 moved on by one.
 *
 * New:     against ../exchange/rotate.cu: the last argument of the shuffle, its width.
 * Why:     rows of 8 would leave 24 lanes of a warp idle: so it is cut into four parts.
 * Look at: one shuffle for four rows: ./width -n 64K -v 'width_rotate*' --counters
 */
#include "toolbox/exchange/rows.h"
#include "width.h"

static __global__ void width_rotate(const float *in, size_t n, float *out)
{
    unsigned lane = threadIdx.x % 32;
    float r[ROWS];
    load_rows(r, in, n);
#pragma unroll
    for (unsigned k = 0; k < ROWS; k++) /* the lane is taken modulo 8, and within the same 8 */
        r[k] = __shfl_sync(ALL_LANES, r[k], element(k) + 1 < n ? lane + 1 : 0, WIDTH);
    store_rows(out, n, r);
}

static void launch(struct sum *s)
{
    launch_rows(s, width_rotate, 0);
}

extern const struct variant variant_width_rotate = {
    .name = "width_rotate",
    .what = "each row of 8 moved on by one",
    .launch = launch,
    .per_thread = ROWS,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &width_rotate_task,
};
