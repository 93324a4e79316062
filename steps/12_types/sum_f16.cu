/* sum_f16: the library's function for halves, as a program would call it; step 11 explains it. */
#include "11_library/lesson_workspace.h"
#include "library/sum_types.h"

static void launch(struct sum *s)
{
    set_launch_and_depth(s, 2, 1);
    must(sum_f16(s->in, s->n, s->out, workspace(), s->stream));
}

extern const struct variant variant_sum_f16 = {
    .name = "sum_f16",
    .what = "the library's function for halves",
    .launch = launch,
    .element = ELEMENT_HALF,
};
