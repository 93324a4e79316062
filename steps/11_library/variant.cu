/*
 * variant.cu: sum_f32() in the table of the others, called as a program would call it. The function
 * itself is in sum_f32.cu, what it chooses in sum_f32_plan.c.
 */
#include "lesson_workspace.h"

static void launch(struct sum *s)
{
    foretell(s, sizeof(float), 1);
    must(sum_f32(s->in, s->n, s->out, workspace(), s->stream));
}

extern const struct variant variant_sum_f32 = {
    .name = "sum_f32",
    .what = "the library's function: one block, one cluster or many blocks, by n",
    .launch = launch,
};
