/* sum_i32: the library's function for integers of 32 bits, as a program would call it; step 11
 * explains it. */
#include "11_library/lesson_workspace.h"
#include "library/sum_types.h"

static void launch(struct sum *s)
{
    set_launch_and_depth(s, sizeof(int32_t), 2);
    must(sum_i32((const int32_t *)s->in, s->n, (int64_t *)s->out, workspace(), s->stream));
}

extern const struct variant variant_sum_i32 = {
    .name = "sum_i32",
    .what = "the library's function for integers of 32 bits",
    .launch = launch,
    .element = ELEMENT_INT32,
};
