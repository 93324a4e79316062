/*
 * accumulators: any floats: 16 accumulators a thread, in shared memory.
 *
 * New:     against fixed_range.cu: the upper four bits of a float choose the accumulator, so there
 *          is a place for each exponent.
 * Why:     no range needs to be known. Each float costs a load and a store of shared memory, and
 *          the next one waits for them.
 * Look at: ./step13 -n 100000 --pattern wide
 */
#include "exact.h"

#define LOADS  8
#define PER_SM 3 /* blocks */

static __global__ void __launch_bounds__(MOST_THREADS, PER_SM)
    in_accumulators(const float *in, struct exact_slots slots, float *out, size_t n)
{
    accumulators a = shared_accumulators();
    word *limb = shared_limbs();
    unsigned epoch = next_epoch(slots.slots);
    unsigned flags = accumulate<LOADS>(a, in, n);
    block_limbs(a, limb);
    const struct partial sum = {0, flags};
    finish_exactly(limb, sum, 0, n, slots, epoch, out);
}

static void launch(struct sum *s)
{
    struct exact_slots slots = lesson_exact_slots(s);
    s->grid = exact_grid(s, LOADS, PER_SM);
    s->depth = 0; /* rounds once, at the end */
    in_accumulators<<<s->grid, s->block, 0, s->stream>>>(s->in, slots, s->out, s->n);
    CUDA_CHECK(cudaGetLastError());
}

extern const struct variant variant_accumulators = {
    .name = "accumulators",
    .what = "16 accumulators a thread in shared memory: for any floats",
    .launch = launch,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .max_block = MOST_THREADS,
};
