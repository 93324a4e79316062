/*
 * fixed_point: one launch; all blocks add to one word, which also counts them.
 *
 * New:     against ticket.cu: the sum is a whole number, and so can be added in any order. The
 *          upper 44 bits of one word are the sum, in units of 1 / scale; the lower 20 count the
 *          blocks. The block that fills the count has the total.
 * Why:     one atomic for each block, and nothing else to read. The price: one must know beforehand
 *          how large a sum can be.
 * Look at: ./step09 -n 64K,1M,16M (simulator: an atomic for each block, and what is refused:
 *          ./step09 -n 64K --counters; ./step09 -n 64K -v fixed_point --pattern huge)
 */
#include "library/parts/tile.h"
#include "library/parts/zeroed_word.h"

#include <math.h>

#define LOADS      8
#define COUNT_BITS 20

static __global__ void fixed_point(const float *in, word *total, float *out, size_t n, double scale)
{
    float sum = block_sum(thread_sum<LOADS>(in, n));
    if (threadIdx.x > 0)
        return;
    word mine = (word)llrint(sum * scale) << COUNT_BITS | 1;
    word all = atomicAdd(total, mine) + mine;
    if ((all & ((1 << COUNT_BITS) - 1)) == gridDim.x) {
        *out = (float)((double)((long long)all >> COUNT_BITS) / scale);
        *total = 0; /* for the next launch */
    }
}

/* Elements lie between -1 and 1, so the sum between -n and n: 2^42 units. */
static void launch(struct sum *s)
{
    double scale = ldexp(1.0, 42 - (int)ceil_log2(s->n));
    s->grid = tile_grid(s, LOADS);
    s->depth = tile_depth(tiles_each(s, LOADS), LOADS) + blocks_for(s->grid, s->block) + 5 + 5;
    fixed_point<<<s->grid, s->block, 0, s->stream>>>(s->in, zeroed_word(), s->out, s->n, scale);
    CUDA_CHECK(cudaGetLastError());
}

extern const struct variant variant_fixed_point = {
    .name = "fixed_point",
    .what = "one 64-bit atomic for each block: sum and count",
    .launch = launch,
    .flags = UNIT_INPUT,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
};
