/*
 * flagged_slots: one launch; block 0 waits for each of the others.
 *
 * New:     against ticket.cu: no counter, no atomic, no fence. A block's sum and the number of the
 *          launch travel in one word, and block 0 looks at each word until the number is there.
 * Why:     a ticket is a trip to the L2 cache and back before the sums are read; a slot is read as
 *          soon as it is written. The rest is in slots.h, since step 11 takes it over as it is.
 * Look at: ./step09 -n 64K,1M,16M (simulator: --counters; no atomics)
 *          The same bits in every order of warps: make BACKEND=sim step09 && for s in 1 2 3; do
 *          ./step09 -n 100000 --schedule $s --csv -; done
 */
#include "library/parts/slots.h"

#define LOADS 8

static __global__ void flagged_slots(const float *in, struct slots slots, float *out, size_t n)
{
    unsigned epoch = next_epoch(slots); /* asked for first: it comes while the tile is read */
    float sum = block_sum(thread_sum<LOADS>(in, n));
    finish_in_slots(sum, blockIdx.x, gridDim.x, slots, epoch, out);
}

static void launch(struct sum *s)
{
    struct slots slots = lesson_slots(s);
    s->grid = waiting_grid(tile_grid(s, LOADS), s->sms);
    s->depth = tile_depth(tiles_each(s, LOADS), LOADS) + blocks_for(s->grid, s->block) + 5 + 5;
    flagged_slots<<<s->grid, s->block, 0, s->stream>>>(s->in, slots, s->out, s->n);
    CUDA_CHECK(cudaGetLastError());
}

extern const struct variant variant_flagged_slots = {
    .name = "flagged_slots",
    .what = "block 0 waits for each block's {epoch, sum}",
    .launch = launch,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
};
