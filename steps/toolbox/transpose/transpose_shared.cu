/*
 * transpose_shared: the same through shared memory, in rows of 33 floats.
 *
 * New:     against transpose.cu: a warp stores its rows and loads its columns.
 * Why:     64 requests in place of 80 shuffles. Each row begins one bank further than the one
 *          before, so the elements of a column lie in 32 banks, and it takes one wavefront.
 * Look at: 32 + 32 wavefronts for a tile: ./transpose -n 64K --counters
 */
#include "warp_tile.h"

static __global__ void transpose_shared(const float *in, size_t n, float *out)
{
    extern __shared__ float smem[];
    float *mine = smem + threadIdx.x / 32 * (32 * 33);
    unsigned lane = threadIdx.x % 32;
    size_t first = first_of_tile();
    float r[32];

    if (first >= n)
        return; /* the whole warp, so no lane is missed */
    load_tile(r, in + first);
#pragma unroll
    for (unsigned k = 0; k < 32; k++)
        mine[k * 33 + lane] = r[k];
    __syncwarp();
#pragma unroll
    for (unsigned k = 0; k < 32; k++)
        r[k] = mine[lane * 33 + k];
    store_tile(out + first, r);
}

static void launch(struct sum *s)
{
    launch_tiles(s, transpose_shared, 32 * 33);
}

extern const struct variant variant_transpose_shared = {
    .name = "transpose_shared",
    .what = "the same through shared memory, rows of 33 floats",
    .launch = launch,
    .per_thread = 32,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .max_block = 352, /* tiles of 11 warps fit into 48 KB */
    .task = &transpose_task,
};
