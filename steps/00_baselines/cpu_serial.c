/*
 * cpu_serial: one CPU core, one element after another.
 *
 * The first element goes through all n - 1 additions, and each rounds: the error is at most
 * (n - 1) * 2^-24 * the sum of |x|. Source: Higham, The accuracy of floating point summation, 1993,
 * section 3.
 */
#include "lesson.h"

static void launch(struct sum *s)
{
    float sum = 0.0f;
    for (size_t i = 0; i < s->n; i++)
        sum += s->in[i];
    *s->out = sum;
    s->depth = s->n > 1 ? s->n - 1 : 0; /* the first addition is 0 + x[0], which is exact */
}

const struct variant variant_cpu_serial = {
    .name = "cpu_serial",
    .what = "one CPU core, one element after another",
    .launch = launch,
    .flags = ON_CPU,
};
