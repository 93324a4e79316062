/* sum_bf16: the library's function for bfloat16, as a program would call it; step 11 explains it.
 */
#include "11_library/lesson_workspace.h"
#include "library/sum_types.h"

static void launch(struct sum *s)
{
    set_launch_and_depth(s, 2, 1);
    must(sum_bf16(s->in, s->n, s->out, workspace(), s->stream));
}

extern const struct variant variant_sum_bf16 = {
    .name = "sum_bf16",
    .what = "the library's function for bfloat16",
    .launch = launch,
    .element = ELEMENT_BFLOAT16,
};
