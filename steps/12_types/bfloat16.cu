/*
 * bfloat16: the upper half of a float, added up in floats.
 *
 * New:     against half.cu: the type. A bfloat16 becomes a float by 16 zero bits after it.
 * Why:     as many bytes, so the same time; no conversion unit is needed.
 * Look at: ./step12 -v half,bfloat16 -n 256M
 */
#include "library/parts/types.h"

#define LOADS 8

static __global__ void sum_bfloat16s(const __nv_bfloat16 *in, struct slots slots, float *out,
                                     size_t n)
{
    unsigned epoch = next_epoch(slots);
    float sum = block_sum(thread_sum<LOADS>(in, n));
    finish_in_slots(sum, blockIdx.x, gridDim.x, slots, epoch, out);
}

static void launch(struct sum *s)
{
    struct slots slots = lesson_slots(s);
    plan_types<__nv_bfloat16, float>(s, slots, LOADS);
    sum_bfloat16s<<<s->grid, s->block, 0, s->stream>>>((const __nv_bfloat16 *)s->in, slots,
                                                       (float *)s->out, s->n);
    CUDA_CHECK(cudaGetLastError());
}

extern const struct variant variant_bfloat16 = {
    .name = "bfloat16",
    .what = "2 bytes an element, floats to add in",
    .launch = launch,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .element = ELEMENT_BFLOAT16,
};
