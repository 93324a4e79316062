/* sum_f64: the library's function for doubles, as a program would call it; step 11 explains it. */
#include "11_library/lesson_workspace.h"
#include "library/sum_types.h"

static void launch(struct sum *s)
{
    set_launch_and_depth(s, sizeof(double), 2);
    must(sum_f64((const double *)s->in, s->n, (double *)s->out, workspace(), s->stream));
}

extern const struct variant variant_sum_f64 = {
    .name = "sum_f64",
    .what = "the library's function for doubles",
    .launch = launch,
    .element = ELEMENT_DOUBLE,
};
