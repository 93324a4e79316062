/*
 * broadcast: all lanes read one. Each float less the first of its row of 32.
 *
 * New:     against step 05, a shuffle that reads one lane, and an answer as long as the array.
 * Why:     a value that every lane needs is loaded once, and no memory hands it on.
 * Look at: a shuffle for each row: ./exchange -n 64K -v 'broadcast*' --counters
 */
#include "exchange.h"
#include "rows.h"

static __global__ void broadcast(const float *in, size_t n, float *out)
{
    float r[ROWS];
    load_rows(r, in, n);
#pragma unroll
    for (unsigned k = 0; k < ROWS; k++)
        r[k] -= __shfl_sync(ALL_LANES, r[k], 0);
    store_rows(out, n, r);
}

static void launch(struct sum *s)
{
    launch_rows(s, broadcast, 0);
}

extern const struct variant variant_broadcast = {
    .name = "broadcast",
    .what = "each float less its row's first",
    .launch = launch,
    .per_thread = ROWS,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &broadcast_task,
};
