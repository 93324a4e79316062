/*
 * float: the type of all steps before, by the same source as the others.
 *
 * New:     against half.cu: the type. Nothing is converted.
 * Why:     it shows what the template costs: hardly anything against step 09's flagged_slots.
 * Look at: ./step12 -v float -n 256M, and ./step09 -v flagged_slots -n 256M
 */
#include "library/parts/types.h"

#define LOADS 8

static __global__ void sum_floats(const float *in, struct slots slots, float *out, size_t n)
{
    unsigned epoch = next_epoch(slots);
    float sum = block_sum(thread_sum<LOADS>(in, n));
    finish_in_slots(sum, blockIdx.x, gridDim.x, slots, epoch, out);
}

static void launch(struct sum *s)
{
    struct slots slots = lesson_slots(s);
    plan_types<float, float>(s, slots, LOADS);
    sum_floats<<<s->grid, s->block, 0, s->stream>>>((const float *)s->in, slots, (float *)s->out,
                                                    s->n);
    CUDA_CHECK(cudaGetLastError());
}

extern const struct variant variant_float = {
    .name = "float",
    .what = "4 bytes an element: the template, for floats",
    .launch = launch,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .element = ELEMENT_FLOAT,
};
