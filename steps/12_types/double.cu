/*
 * double: 8 bytes for each element, and for each sum.
 *
 * New:     against half.cu: the type; and the sum has 64 bits, so it takes two words to hand over.
 * Why:     twice the bytes of a float, so twice the time.
 * Look at: the error: ./step12 -v float,double -n 16M --pattern positive
 */
#include "library/parts/types.h"

#define LOADS 8

static __global__ void sum_doubles(const double *in, struct slots slots, double *out, size_t n)
{
    unsigned epoch = next_epoch(slots);
    double sum = block_sum(thread_sum<LOADS>(in, n));
    finish_in_slots(sum, blockIdx.x, gridDim.x, slots, epoch, out);
}

static void launch(struct sum *s)
{
    struct slots slots = lesson_slots(s);
    plan_types<double, double>(s, slots, LOADS);
    sum_doubles<<<s->grid, s->block, 0, s->stream>>>((const double *)s->in, slots, (double *)s->out,
                                                     s->n);
    CUDA_CHECK(cudaGetLastError());
}

extern const struct variant variant_double = {
    .name = "double",
    .what = "8 bytes an element and a sum",
    .launch = launch,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .element = ELEMENT_DOUBLE,
};
