/*
 * width_sum: the sum of each 8 floats: n / 8 words, the last of what is left.
 *
 * New:     against step 05's tree: three rounds, and four sums of a warp in place of one.
 * Why:     four sums at once. Their width changes nothing: none that is wanted looks beyond its 8.
 * Look at: three shuffles for four sums: ./width -n 64K -v 'width_sum*' --counters
 */
#include "sums.h"
#include "toolbox/exchange/rows.h"
#include "width.h"

static __global__ void width_sum(const float *in, size_t n, float *out)
{
    float r[ROWS];
    load_rows(r, in, n);
    for (unsigned offset = WIDTH / 2; offset > 0; offset /= 2)
#pragma unroll
        for (unsigned k = 0; k < ROWS; k++)
            r[k] += __shfl_down_sync(ALL_LANES, r[k], offset, WIDTH);
    store_sums(out, n, r);
}

static void launch(struct sum *s)
{
    launch_rows(s, width_sum, 0);
}

extern const struct variant variant_width_sum = {
    .name = "width_sum",
    .what = "the sum of each 8, by shuffles",
    .launch = launch,
    .per_thread = ROWS,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &width_sum_task,
};
