/*
 * cpu_kahan: one CPU core, each rounding error carried on.
 *
 * What an addition rounds away goes into the next one. Compile without -ffast-math: it removes this
 * correction, which is 0 in exact arithmetic. The bound is 2u + O(n u^2) with u = 2^-24, as if two
 * additions deep and a little more. Sources: Higham 1993, section 4 (compensated summation);
 * Goldberg, What every computer scientist should know about floating-point arithmetic, 1991,
 * theorem 8. Both leave the constant of the second term open: 4 is what we allow.
 */
#include "lesson.h"

static void launch(struct sum *s)
{
    float sum = 0.0f, lost = 0.0f; /* lost: what the last addition added too much */
    for (size_t i = 0; i < s->n; i++) {
        float term = s->in[i] - lost;
        float next = sum + term;
        lost = (next - sum) - term;
        sum = next;
    }
    *s->out = sum;
    /* 2u + 4n u^2 in units of u, rounded up: 4 u is 2^-22. */
    s->depth = s->n > 1 ? 3 + s->n / ((size_t)1 << 22) : 0;
}

const struct variant variant_cpu_kahan = {
    .name = "cpu_kahan",
    .what = "one CPU core, each rounding error carried on",
    .launch = launch,
    .flags = ON_CPU,
};
