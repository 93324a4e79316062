/*
 * fixed_range: whole numbers, for elements whose range is known.
 *
 * New:     against ../09_single_pass/fixed_point.cu: there a block rounded its sum to a whole
 *          number; here every element is one, in units of 2^-24, before the first addition.
 * Why:     whole numbers are added without rounding, so any order gives the same bits. The price:
 *          elements must be multiples of the unit, and none may be large.
 * Look at: ./step13 -n 100000 -v fixed_range; with --pattern cancel it is refused.
 */
#include "library/parts/exact.h"

#define LOADS     8
#define PER_SM    4  /* blocks */
#define UNIT_BITS 24 /* a unit is 2^-24 */

static inline __device__ long long units_of(float x)
{
    return llrintf(x * (1 << UNIT_BITS));
}

static __global__ void __launch_bounds__(MOST_THREADS, PER_SM)
    fixed_range(const float *in, struct slots slots, float *out, size_t n)
{
    unsigned epoch = next_epoch(slots), tile = LOADS * blockDim.x;
    struct parts p = parts_of(in, n);
    const float4 *body = (const float4 *)(in + p.head), zero = {};
    long long units = units_of(head_or_tail(in, n, p));

    for (size_t first = (size_t)blockIdx.x * tile; first < p.vectors;
         first += (size_t)gridDim.x * tile) {
        float4 v[LOADS];
        load_tile<LOADS>(body + first, p.vectors - first, v);
        cut_tile<LOADS>(p.vectors - first, zero, v);
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            units += units_of(v[k].x) + units_of(v[k].y) + units_of(v[k].z) + units_of(v[k].w);
    }
    const struct partial sum = {units, NOT_MINUS_ZERO};
    finish_exactly(NULL, sum, -UNIT - UNIT_BITS, n, slots, epoch, out);
}

static void launch(struct sum *s)
{
    struct slots slots = lesson_exact_slots(s);
    s->grid = exact_grid(s, LOADS, PER_SM);
    s->depth = 0; /* rounds once, at the end */
    fixed_range<<<s->grid, s->block, 0, s->stream>>>(s->in, slots, s->out, s->n);
    CUDA_CHECK(cudaGetLastError());
}

extern const struct variant variant_fixed_range = {
    .name = "fixed_range",
    .what = "each element a whole number of 2^-24: for a known range",
    .launch = launch,
    .flags = UNIT_INPUT,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .max_block = MOST_THREADS,
};
