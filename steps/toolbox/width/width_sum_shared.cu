/*
 * width_sum_shared: the same through shared memory.
 *
 * New:     against width_sum.cu: no tree. Eight rows have 32 sums: each lane adds up one of them.
 * Why:     so all 32 lanes have something to store, and they store it once.
 * Look at: an eighth of the stores: ./width -n 64K -v 'width_sum*' --counters
 */
#include "toolbox/exchange/rows.h"
#include "width.h"

/* The eighth part of 8 rows is 32 sums: each lane adds up one of them, in the same order. The
   exclusive or keeps both ways free of bank conflicts (../transpose/README.md). */
static __global__ void width_sum_shared(const float *in, size_t n, float *out)
{
    extern __shared__ float smem[];
    float *mine = smem + threadIdx.x / 32 * (32 * ROWS);
    unsigned lane = threadIdx.x % 32, row = lane / (32 / WIDTH), first = lane * WIDTH % 32;
    float r[ROWS], v[WIDTH];
    load_rows(r, in, n);
#pragma unroll
    for (unsigned k = 0; k < ROWS; k++)
        mine[32 * k + (lane ^ k)] = r[k];
    __syncwarp();
#pragma unroll
    for (unsigned j = 0; j < WIDTH; j++)
        v[j] = mine[32 * row + ((first + j) ^ row)];
#pragma unroll
    for (unsigned m = WIDTH / 2; m > 0; m /= 2)
#pragma unroll
        for (unsigned j = 0; j < m; j++)
            v[j] += v[j + m];
    size_t sum = (element(0) - lane) / WIDTH + lane; /* the warp's first, and on */
    if (sum * WIDTH < n)
        out[sum] = v[0];
}

static void launch(struct sum *s)
{
    launch_rows(s, width_sum_shared, 32 * ROWS);
}

extern const struct variant variant_width_sum_shared = {
    .name = "width_sum_shared",
    .what = "8 loads from shared memory",
    .launch = launch,
    .per_thread = ROWS,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &width_sum_task,
};
