/*
 * half: 2 bytes for each element, added up in floats.
 *
 * New:     against ../09_single_pass/flagged_slots.cu: the type of the elements. Eight of them come
 *          with each load of 16 bytes, and each becomes a float before it is added (types.h).
 * Why:     half as many bytes, so half the time: the sums are bound by the memory, and a conversion
 *          for each addition is hidden behind it.
 * Look at: the GB/s beside those of float, not the time: ./step12 -n 256M. And half_naive.cu, which
 *          adds in halves: ./step12 -v half,half_naive -n 64K --pattern positive
 */
#include "library/parts/types.h"

#define LOADS 8

static __global__ void sum_halves(const __half *in, struct slots slots, float *out, size_t n)
{
    unsigned epoch = next_epoch(slots);
    float sum = block_sum(thread_sum<LOADS>(in, n));
    finish_in_slots(sum, blockIdx.x, gridDim.x, slots, epoch, out);
}

static void launch(struct sum *s)
{
    struct slots slots = lesson_slots(s);
    plan_types<__half, float>(s, slots, LOADS);
    sum_halves<<<s->grid, s->block, 0, s->stream>>>((const __half *)s->in, slots, (float *)s->out,
                                                    s->n);
    CUDA_CHECK(cudaGetLastError());
}

extern const struct variant variant_half = {
    .name = "half",
    .what = "2 bytes an element, floats to add in",
    .launch = launch,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .element = ELEMENT_HALF,
};
