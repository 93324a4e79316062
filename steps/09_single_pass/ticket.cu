/*
 * ticket: one launch; the block that comes last adds up what the others left.
 *
 * New:     against ../08_vectorized/vector_x1.cu: 8 loads, and the second launch is gone. Every
 *          block takes a number; the block that draws the last one knows that all others are done.
 * Why:     a second launch costs more than a microsecond. Step 07's barrier makes all blocks wait,
 *          and needs all of them on the GPU at once; here no block waits.
 * Look at: ./step09 -n 64K,1M,16M against ./step08 and ./step07 (simulator: --counters; one pass)
 */
#include "library/parts/tile.h"
#include "library/parts/zeroed_word.h"

#define LOADS 8

/* 1 fence, 2 draw, 3 fence, 4 read: a block's sum is in memory (1) before its number is drawn
   (2), and the last block reads (4) only after it has seen (3) all numbers drawn. Without 1 or 3
   the last block may read a sum that is not there yet. After the last number atomicInc() starts
   at 0 again: nothing to zero before the next launch. */
static __global__ void ticket(const float *in, float *partial, unsigned *tickets, float *out,
                              size_t n)
{
    __shared__ bool last;
    float sum = block_sum(thread_sum<LOADS>(in, n));

    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;
        __threadfence();
        last = atomicInc(tickets, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads(); /* all learn whether they stay; block_sum() may use its memory again */
    if (!last)
        return;
    sum = 0.0f;
    for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x)
        sum += partial[i]; /* in the order of the blocks, whichever of them came last */
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        *out = sum;
}

static void launch(struct sum *s)
{
    unsigned *tickets = (unsigned *)zeroed_word();
    s->grid = tile_grid(s, LOADS);
    s->depth = tile_depth(tiles_each(s, LOADS), LOADS) + blocks_for(s->grid, s->block) + 5 + 5;
    ticket<<<s->grid, s->block, 0, s->stream>>>(s->in, s->scratch, tickets, s->out, s->n);
    CUDA_CHECK(cudaGetLastError());
}

extern const struct variant variant_ticket = {
    .name = "ticket",
    .what = "the block that draws the last number adds up",
    .launch = launch,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
};
