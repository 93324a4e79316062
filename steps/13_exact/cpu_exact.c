/*
 * cpu_exact: the same bits on the CPU, in one page of C.
 *
 * New:     against ../00_baselines/cpu_serial.c: a whole number of 320 bits in place of a float,
 *          and one rounding, at the end.
 * Why:     a sum without rounding has no order; so this loop agrees with every kernel here.
 * Look at: ./step13 -n 100000 --pattern cancel
 */
#include "lesson.h"
#include "library/parts/limbs.h"

#include <string.h>

enum { CARRY_EVERY = 1 << 7 }; /* a limb takes up to 63 bits, a float adds up to 55 */

static float exact_sum(const float *x, size_t n)
{
    long long limb[LIMBS] = {0};
    double special = 0; /* NaN and infinities, added as IEEE 754 adds them */
    bool minus_zero = n > 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        uint32_t exponent = bits >> 23 & 255, fraction = bits & 0x7fffff;
        minus_zero = minus_zero && bits == 0x80000000;
        if (exponent == 255) {
            special += (double)x[i];
            continue;
        }
        long long m = exponent == 0 ? 2 * fraction : fraction | 0x800000;
        m <<= exponent % 32;
        limb[exponent / 32] += bits >> 31 ? -m : m;
        if (i % CARRY_EVERY == 0)
            carry(limb);
    }
    return special != 0 ? (float)special : minus_zero ? -0.0f : nearest_float(limb);
}

static void launch(struct sum *s)
{
    *s->out = exact_sum(s->in, s->n);
    s->depth = 0;
}

const struct variant variant_cpu_exact = {
    .name = "cpu_exact",
    .what = "the same bits on the CPU",
    .launch = launch,
    .flags = ON_CPU,
};
