/*
 * Step 09: one launch, and no barrier for the grid: three ways to finish.
 *
 * New:     step 08's second launch is gone. The block that comes last adds up what the others
 *          left (ticket), or block 0 waits for each of them (flagged_slots), or all add to one
 *          word that also counts them (fixed_point).
 * Why:     a second launch costs more than a microsecond. Step 07's barrier makes all blocks wait,
 *          and needs all of them on the GPU at once; here at most one block waits.
 * Look at: ./step09 -n 64K,1M,16M against ./step08 and ./step07
 *          The same bits in every order of warps: make BACKEND=sim step09 && for s in 1 2 3; do
 *          ./step09 -n 100000 --schedule $s --csv -; done
 */
#include "lesson.h"
#include "slots.h"
#include <math.h>

#define LOADS 8

/* ticket: every block takes a number; whoever draws the last one knows that all others are done.
   1 fence, 2 draw, 3 fence, 4 read: a block's sum is in memory (1) before its number is drawn
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

/* flagged_slots: every block puts its sum into a slot of its own, and block 0 waits for them all.
   The rest is in slots.h, since step 11 takes it over as it is. */
static __global__ void flagged_slots(const float *in, struct slots slots, float *out, size_t n)
{
    unsigned epoch = next_epoch(slots); /* asked for first: it comes while the tile is read */
    float sum = block_sum(thread_sum<LOADS>(in, n));
    finish_in_slots(sum, blockIdx.x, gridDim.x, slots, epoch, out);
}

/* fixed_point: whole numbers can be added in any order. The upper 44 bits of one word are the
   sum, in units of 1 / scale; the lower 20 count the blocks. Whoever makes the count full holds
   the total. The price: one must know beforehand how large a sum can be. */
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

/* A word of device memory that is zeroed once: ticket and fixed_point leave it at zero. */
static word *zeroed_word(void)
{
    static word *w;
    if (w == NULL) {
        CUDA_CHECK(cudaMalloc(&w, sizeof *w));
        CUDA_CHECK(cudaMemset(w, 0, sizeof *w));
    }
    return w;
}

static void plan(struct sum *s)
{
    s->grid = tile_grid(s, LOADS);
    s->depth = tile_depth(tiles_each(s, LOADS), LOADS) + blocks_for(s->grid, s->block) + 5 + 5;
}

static void launch_ticket(struct sum *s)
{
    unsigned *tickets = (unsigned *)zeroed_word();
    plan(s);
    ticket<<<s->grid, s->block, 0, s->stream>>>(s->in, s->scratch, tickets, s->out, s->n);
    CUDA_CHECK(cudaGetLastError());
}

static void launch_flagged_slots(struct sum *s)
{
    plan(s);
    struct slots slots = lesson_slots(s);
    flagged_slots<<<s->grid, s->block, 0, s->stream>>>(s->in, slots, s->out, s->n);
    CUDA_CHECK(cudaGetLastError());
}

/* Elements lie between -1 and 1, so the sum between -n and n: 2^42 units. */
static void launch_fixed_point(struct sum *s)
{
    double scale = ldexp(1.0, 42 - (int)tree_depth(s->n));
    plan(s);
    fixed_point<<<s->grid, s->block, 0, s->stream>>>(s->in, zeroed_word(), s->out, s->n, scale);
    CUDA_CHECK(cudaGetLastError());
}

/* name, what, launcher, elements a thread sums, flags, blocks it admits, smallest block */
static const struct variant variants[] = {
    {"ticket", "the block that draws the last number adds up", launch_ticket, 0, 0,
     BLOCK_WHOLE_WARPS, 32},
    {"flagged_slots", "block 0 waits for each block's {epoch, sum}", launch_flagged_slots, 0, 0,
     BLOCK_WHOLE_WARPS, 32},
    {"fixed_point", "one 64-bit atomic for each block: sum and count", launch_fixed_point, 0,
     UNIT_INPUT, BLOCK_WHOLE_WARPS, 32},
};

int main(int argc, char **argv)
{
    const struct lesson lesson = {.name = "09_single_pass",
                                  .idea = "three ways to finish in one launch",
                                  .variants = variants,
                                  .variant_count = sizeof variants / sizeof variants[0]};
    return run_lesson(argc, argv, &lesson);
}
