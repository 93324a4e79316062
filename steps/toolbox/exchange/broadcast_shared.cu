/*
 * broadcast_shared: the same through shared memory.
 *
 * New:     against broadcast.cu: lane 0 stores what all lanes then load.
 * Why:     it is what one would do without a shuffle.
 * Look at: wavefronts in place of shuffles: ./exchange -n 64K -v 'broadcast*' --counters
 */
#include "exchange.h"
#include "rows.h"

static __global__ void broadcast_shared(const float *in, size_t n, float *out)
{
    extern __shared__ float smem[];
    float *mine = smem + threadIdx.x / 32 * ROWS;
    float r[ROWS];
    load_rows(r, in, n);
    if (threadIdx.x % 32 == 0)
        for (unsigned k = 0; k < ROWS; k++)
            mine[k] = r[k];
    __syncwarp();
#pragma unroll
    for (unsigned k = 0; k < ROWS; k++)
        r[k] -= mine[k]; /* one word for all lanes: one wavefront */
    store_rows(out, n, r);
}

static void launch(struct sum *s)
{
    launch_rows(s, broadcast_shared, ROWS);
}

extern const struct variant variant_broadcast_shared = {
    .name = "broadcast_shared",
    .what = "through shared memory",
    .launch = launch,
    .per_thread = ROWS,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &broadcast_task,
};
