#include "reference.h"
#include "wide.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* The upper 9 bits of a float are its sign and exponent: they name its bin. */
enum { BINS = 512, SIGN_BIN = 256, TOP_EXPONENT = 255 };

struct bins {
    uint64_t significands[BINS];
    bool nan, plus_infinity, minus_infinity;
};

/* A bin takes 2^40 significands of 24 bits, before it overflows. It is emptied
   into the wide number long before, after each chunk of the array. */
#define CHUNK ((size_t)1 << 24)

static void add_to_bin(struct bins *bins, float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    uint32_t exponent = bits >> 23 & 255, fraction = bits & 0x7fffff;
    uint32_t implicit_one = (uint32_t)(exponent != 0) << 23; /* subnormals have none */
    if (exponent != TOP_EXPONENT)
        bins->significands[bits >> 23] += fraction | implicit_one;
    else if (fraction != 0)
        bins->nan = true;
    else if (bits >> 31)
        bins->minus_infinity = true;
    else
        bins->plus_infinity = true;
}

static void merge_bins(struct bins *all, const struct bins *part)
{
    for (int b = 0; b < BINS; b++)
        all->significands[b] += part->significands[b];
    all->nan |= part->nan;
    all->plus_infinity |= part->plus_infinity;
    all->minus_infinity |= part->minus_infinity;
}

static void fill_bins(struct bins *all, enum element element, const float *x, size_t n)
{
#pragma omp parallel
    {
        struct bins mine = {.nan = false};
#pragma omp for schedule(static) nowait
        for (size_t i = 0; i < n; i++)
            add_to_bin(&mine, element_value(element, x[i]));
#pragma omp critical
        merge_bins(all, &mine);
    }
}

static void empty_bins(struct bins *bins, struct wide *sum, struct wide *sum_abs)
{
    for (unsigned b = 0; b < BINS; b++) {
        unsigned exponent = b % SIGN_BIN;
        unsigned shift = exponent > 0 ? exponent - 1 : 0; /* subnormals share the scale of 1 */
        wide_add(sum, bins->significands[b], shift, b >= SIGN_BIN);
        wide_add(sum_abs, bins->significands[b], shift, false);
        bins->significands[b] = 0;
    }
    wide_carry(sum);
    wide_carry(sum_abs);
}

/* Only called where the sum of |x| is at most 2^24, so each x fits an int. */
static bool all_whole(enum element element, const float *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        float value = element_value(element, x[i]);
        if (value != (float)(int)value)
            return false;
    }
    return true;
}

/* Modulo 2^64, as the GPU has it. */
static int64_t sum_whole(const float *x, size_t n)
{
    uint64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (size_t i = 0; i < n; i++)
        sum += (uint64_t)(int64_t)element_value(ELEMENT_INT32, x[i]);
    return (int64_t)sum;
}

struct exact_sum sum_exactly(const float *x, size_t n)
{
    return sum_elements_exactly(ELEMENT_FLOAT, x, n);
}

struct exact_sum sum_elements_exactly(enum element element, const float *x, size_t n)
{
    struct bins bins = {.nan = false};
    struct wide sum = {{0}}, sum_abs = {{0}};
    for (size_t start = 0; start < n; start += CHUNK) {
        fill_bins(&bins, element, x + start, n - start < CHUNK ? n - start : CHUNK);
        empty_bins(&bins, &sum, &sum_abs);
    }

    struct exact_sum exact = {.sum = wide_round(&sum, 53), .sum_abs = wide_round(&sum_abs, 53)};
    if (bins.nan || (bins.plus_infinity && bins.minus_infinity))
        exact.sum = exact.sum_abs = NAN;
    else if (bins.plus_infinity || bins.minus_infinity) {
        exact.sum = bins.plus_infinity ? INFINITY : -INFINITY;
        exact.sum_abs = INFINITY;
    } else {
        double nearest = wide_round(&sum, 24);
        exact.overflows = fabs(nearest) > FLT_MAX;
        exact.nearest = (float)nearest;
        exact.exact_in_floats = exact.sum_abs <= 0x1p24 && all_whole(element, x, n);
        exact.whole = element == ELEMENT_INT32 ? sum_whole(x, n) : 0;
    }
    return exact;
}
