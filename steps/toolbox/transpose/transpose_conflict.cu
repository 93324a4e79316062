/*
 * transpose_conflict: the same in rows of 32 floats, as they come.
 *
 * New:     against transpose_shared.cu: no padding.
 * Why:     it shows what padding and swizzle avoid: a column lies in one bank, and reading it word
 *          by word takes 32 wavefronts.
 * Look at: the worst conflict: ./transpose -n 64K --counters
 */
#include "warp_tile.h"

static __global__ void transpose_conflict(const float *in, size_t n, float *out)
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
        mine[k * 32 + lane] = r[k];
    __syncwarp();
#pragma unroll
    for (unsigned k = 0; k < 32; k++)
        r[k] = mine[lane * 32 + k];
    store_tile(out + first, r);
}

static void launch(struct sum *s)
{
    launch_tiles(s, transpose_conflict, 32 * 32);
}

extern const struct variant variant_transpose_conflict = {
    .name = "transpose_conflict",
    .what = "rows of 32: a column lies in one bank",
    .launch = launch,
    .per_thread = 32,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .max_block = 384, /* tiles of 12 warps fit into 48 KB */
    .task = &transpose_task,
};
