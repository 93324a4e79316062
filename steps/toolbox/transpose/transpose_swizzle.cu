/*
 * transpose_swizzle: the same in rows of 32 floats, each in an order of its own.
 *
 * New:     against transpose_shared.cu: no padding; element (k, l) lies at l ^ k of row k.
 * Why:     for a fixed k, l ^ k runs through all 32 banks as l does, and for a fixed l as k does.
 * Look at: the same wavefronts: ./transpose -n 64K --counters
 */
#include "warp_tile.h"

static __global__ void transpose_swizzle(const float *in, size_t n, float *out)
{
    extern __shared__ float smem[];
    float *mine = smem + threadIdx.x / 32 * (32 * 32);
    unsigned lane = threadIdx.x % 32;
    size_t first = first_of_tile();
    float r[32];

    if (first >= n)
        return; /* the whole warp, so no lane is missed */
    load_tile(r, in + first);
#pragma unroll
    for (unsigned k = 0; k < 32; k++)
        mine[k * 32 + (lane ^ k)] = r[k];
    __syncwarp();
#pragma unroll
    for (unsigned k = 0; k < 32; k++)
        r[k] = mine[lane * 32 + (k ^ lane)];
    store_tile(out + first, r);
}

static void launch(struct sum *s)
{
    launch_tiles(s, transpose_swizzle, 32 * 32);
}

extern const struct variant variant_transpose_swizzle = {
    .name = "transpose_swizzle",
    .what = "rows of 32, element (k, l) at l ^ k",
    .launch = launch,
    .per_thread = 32,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .max_block = 384, /* tiles of 12 warps fit into 48 KB */
    .task = &transpose_task,
};
