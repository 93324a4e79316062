/*
 * width_rotate_shared: the same through shared memory.
 *
 * New:     against width_rotate.cu: each lane stores its float, and loads its neighbour's.
 * Why:     it is what one would do without a shuffle.
 * Look at: two wavefronts for each 32: ./width -n 64K -v 'width_rotate*' --counters
 */
#include "toolbox/exchange/rows.h"
#include "width.h"

static __global__ void width_rotate_shared(const float *in, size_t n, float *out)
{
    extern __shared__ float smem[];
    float *mine = smem + threadIdx.x / 32 * (32 * ROWS);
    unsigned lane = threadIdx.x % 32, first = lane / WIDTH * WIDTH;
    float r[ROWS];
    load_rows(r, in, n);
#pragma unroll
    for (unsigned k = 0; k < ROWS; k++)
        mine[32 * k + lane] = r[k];
    __syncwarp();
#pragma unroll
    for (unsigned k = 0; k < ROWS; k++)
        r[k] = mine[32 * k + first + (element(k) + 1 < n ? (lane + 1) % WIDTH : 0)];
    store_rows(out, n, r);
}

static void launch(struct sum *s)
{
    launch_rows(s, width_rotate_shared, 32 * ROWS);
}

extern const struct variant variant_width_rotate_shared = {
    .name = "width_rotate_shared",
    .what = "through shared memory",
    .launch = launch,
    .per_thread = ROWS,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &width_rotate_task,
};
