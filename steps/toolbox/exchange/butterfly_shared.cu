/*
 * butterfly_shared: the same through shared memory.
 *
 * New:     against butterfly.cu: a round is a store and a load, with a __syncwarp() after each.
 * Why:     it is what one would do without a shuffle.
 * Look at: ten wavefronts for each row: ./exchange -n 64K -v 'butterfly*' --counters
 */
#include "exchange.h"
#include "rows.h"

static __global__ void butterfly_shared(const float *in, size_t n, float *out)
{
    extern __shared__ float smem[];
    float *mine = smem + threadIdx.x / 32 * (32 * ROWS);
    unsigned lane = threadIdx.x % 32;
    float r[ROWS];
    load_rows(r, in, n);
    for (unsigned m = 16; m > 0; m /= 2) {
#pragma unroll
        for (unsigned k = 0; k < ROWS; k++)
            mine[32 * k + lane] = r[k];
        __syncwarp(); /* all have stored */
#pragma unroll
        for (unsigned k = 0; k < ROWS; k++)
            r[k] += mine[32 * k + (lane ^ m)];
        __syncwarp(); /* all have read, before the next round overwrites it */
    }
    store_rows(out, n, r);
}

static void launch(struct sum *s)
{
    launch_rows(s, butterfly_shared, 32 * ROWS);
}

extern const struct variant variant_butterfly_shared = {
    .name = "butterfly_shared",
    .what = "through shared memory",
    .launch = launch,
    .per_thread = ROWS,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &butterfly_task,
};
