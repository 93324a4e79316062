/*
 * int32: integers of 32 bits, added up in 64.
 *
 * New:     against double.cu: the type. Each integer is extended to 64 bits before it is added.
 * Why:     the bytes of a float, so its time; 2^32 integers of any size fit into the sum.
 * Look at: the error: none, in any order: ./step12 -v int32 -n 16M
 */
#include "library/parts/types.h"

#define LOADS 8

static __global__ void sum_integers(const int *in, struct slots slots, long long *out, size_t n)
{
    unsigned epoch = next_epoch(slots);
    long long sum = block_sum(thread_sum<LOADS>(in, n));
    finish_in_slots(sum, blockIdx.x, gridDim.x, slots, epoch, out);
}

static void launch(struct sum *s)
{
    struct slots slots = lesson_slots(s);
    plan_types<int, long long>(s, slots, LOADS);
    sum_integers<<<s->grid, s->block, 0, s->stream>>>((const int *)s->in, slots,
                                                      (long long *)s->out, s->n);
    CUDA_CHECK(cudaGetLastError());
}

extern const struct variant variant_int32 = {
    .name = "int32",
    .what = "4 bytes an element, 64 bits to add in",
    .launch = launch,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .element = ELEMENT_INT32,
};
