/*
 * transpose: rows of a 32 x 32 tile become columns, and never leave the registers.
 *
 * New:     against ../exchange/butterfly.cu: a lane gives half of its registers away in each round,
 *          and takes as many.
 * Why:     a tile that is in registers anyway is turned round with no shared memory.
 * Look at: 80 shuffles for a tile: ./transpose -n 64K --counters
 */
#include "warp_tile.h"

/* r[k] of lane l is element (k, l) of the tile: row k, column l. Afterwards it is (l, k). In each
   round the lanes l and l ^ m swap what lies on the wrong side of the diagonal, in squares of
   m x m: 16 shuffles a round, 80 in all. r[] must have constant indices, or it is no register. */
static __device__ void transpose_registers(float r[32])
{
    unsigned lane = threadIdx.x % 32;
#pragma unroll
    for (unsigned m = 16; m > 0; m /= 2) {
        bool upper = lane & m;
#pragma unroll
        for (unsigned k = 0; k < 32; k++) {
            if (k & m)
                continue; /* its partner k ^ m has swapped it */
            float given = upper ? r[k] : r[k | m];
            float taken = __shfl_xor_sync(0xffffffff, given, m);
            r[k] = upper ? taken : r[k];
            r[k | m] = upper ? r[k | m] : taken;
        }
    }
}

static __global__ void transpose(const float *in, size_t n, float *out)
{
    size_t first = first_of_tile();
    float r[32];

    if (first >= n)
        return; /* the whole warp, so no lane is missed */
    load_tile(r, in + first);
    transpose_registers(r);
    store_tile(out + first, r);
}

static void launch(struct sum *s)
{
    launch_tiles(s, transpose, 0);
}

extern const struct variant variant_transpose = {
    .name = "transpose",
    .what = "a 32 x 32 tile in each warp's registers, 80 shuffles",
    .launch = launch,
    .per_thread = 32,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &transpose_task,
};
