/*
 * accumulators: any floats: 16 accumulators a thread, in shared memory.
 *
 * New:     against fixed_range.cu: the upper four bits of a float choose the accumulator, so there
 *          is a place for each exponent.
 * Why:     no range needs to be known. Each float costs a load and a store of shared memory, and
 *          the next two wait for them.
 * Look at: ./step13 -n 100000 --pattern wide
 */
#include "library/parts/exact.h"

#define LOADS  8
#define PER_SM 2 /* blocks */

static __global__ void __launch_bounds__(MOST_THREADS, PER_SM)
    in_accumulators(const float *in, struct slots slots, float *out, size_t n)
{
    accumulators a = shared_accumulators();
    limbs_of_warps limbs = shared_limbs();
    unsigned epoch = next_epoch(slots), tile = LOADS * blockDim.x;
    struct parts p = parts_of(in, n);
    float rest = head_or_tail(in, n, p);
    size_t first = (size_t)blockIdx.x * tile, left = first < p.vectors ? p.vectors - first : 0;
    const float4 *body = (const float4 *)(in + p.head);
    float4 v[LOADS];
    load_tile<LOADS>(body + first, left, v);
    clear(a);
    const struct partial sum = {
        0, accumulate<LOADS>(a, limbs[threadIdx.x / 32], body, first, left, v, rest)};
    finish_exactly(limbs, sum, 0, n, slots, epoch, out);
}

static void launch(struct sum *s)
{
    struct slots slots = lesson_exact_slots(s);
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
