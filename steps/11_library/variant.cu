/*
 * sum_f32: the function that one would ship, called as a program would call it. The function itself
 * is in library/sum_f32.cu, what it chooses in library/sum_f32_plan.c.
 *
 * New:     nothing in the kernels (library/kernels.h) but one thing: each may begin while the
 * kernel before it in the stream still runs (programmatic dependent launch), ask the L2 cache for
 *          its first tile, and only then wait. The rest is choosing: one block, one cluster, or
 *          many.
 * Why:     below a few million floats a sum is mostly launching and waiting for the first bytes.
 * Look at: ./step11, and against CUB at every size, on a GPU: make compare (simulator: which plan
 *          is chosen, by its block and grid: ./step11 -n 1K,16K,64K,1M --sms 132)
 */
#include "lesson_workspace.h"

static void launch(struct sum *s)
{
    set_launch_and_depth(s, sizeof(float), 1);
    must(sum_f32(s->in, s->n, s->out, workspace(), s->stream));
}

extern const struct variant variant_sum_f32 = {
    .name = "sum_f32",
    .what = "the library's function: one block, one cluster or many blocks, by n",
    .launch = launch,
};
