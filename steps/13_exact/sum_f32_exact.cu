/* sum_f32_exact: the library's function, as a program would call it; step 11 explains it. */
#include "11_library/lesson_workspace.h"
#include "library/sum_exact.h"

static void launch(struct sum *s)
{
    unsigned sms;
    bool hopper;
    must(sum_f32_device(&sms, &hopper));
    struct sum_f32_plan plan = sum_exact_plan(s->n, sms, hopper);
    s->grid = plan.blocks;
    s->block = plan.threads;
    must(sum_f32_exact(s->in, s->n, s->out, workspace(), s->stream));
    s->depth = 0;
}

extern const struct variant variant_sum_f32_exact = {
    .name = "sum_f32_exact",
    .what = "the library's function: doubles, launched as sum_f32() is",
    .launch = launch,
};
