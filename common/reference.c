#include "reference.h"
#include "wide.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* The upper 9 bits of a float are its sign and exponent: they name its bin. */
enum { BINS = 512, SIGN_BIN = 256, TOP_EXPONENT = 255 };

/* A bin takes 2^40 significands of 24 bits, which is more than memory holds floats. */
struct bins {
    uint64_t significands[BINS];
    bool nan, plus_infinity, minus_infinity;
};

/* So many floats at a time add their fractions, of 23 bits, to the lower part of a bin, and one to
   the count in its upper part. Two operations for each float; all else is asked of a bin. */
enum { BLOCK = 1 << 14, COUNT_SHIFT = 40 };

static void add_bin(struct bins *all, unsigned b, uint64_t bin)
{
    uint64_t fractions = bin & (((uint64_t)1 << COUNT_SHIFT) - 1), count = bin >> COUNT_SHIFT;
    unsigned exponent = b % SIGN_BIN;
    if (exponent != TOP_EXPONENT)
        all->significands[b] += fractions + (exponent != 0 ? count << 23 : 0); /* the implicit 1 */
    else if (fractions != 0)
        all->nan = true; /* an infinity beside it changes nothing */
    else if (count != 0 && b >= SIGN_BIN)
        all->minus_infinity = true;
    else if (count != 0)
        all->plus_infinity = true;
}

static void add_block(struct bins *all, enum element element, const float *x, size_t n)
{
    float values[BLOCK];
    uint64_t bins[BINS] = {0};
    x = element_values(element, x, n, values);
    for (size_t i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        bins[bits >> 23] += (uint64_t)1 << COUNT_SHIFT | (bits & 0x7fffff);
    }
    for (unsigned b = 0; b < BINS; b++)
        add_bin(all, b, bins[b]);
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
        for (size_t i = 0; i < n; i += BLOCK)
            add_block(&mine, element, x + i, n - i < BLOCK ? n - i : BLOCK);
#pragma omp critical
        merge_bins(all, &mine);
    }
}

static void add_up(const struct bins *bins, struct wide *sum, struct wide *sum_abs)
{
    for (unsigned b = 0; b < BINS; b++) {
        unsigned exponent = b % SIGN_BIN;
        unsigned shift = exponent > 0 ? exponent - 1 : 0; /* subnormals share the scale of 1 */
        wide_add(sum, bins->significands[b], shift, b >= SIGN_BIN);
        wide_add(sum_abs, bins->significands[b], shift, false);
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

/* Of int32, so of whole numbers: from 1, with the exponent 127, to 2^31. Modulo 2^64, as the GPU
   has it. */
static int64_t sum_whole(const struct bins *bins)
{
    const unsigned ones = 127 + 23; /* the exponent whose significands count ones */
    uint64_t sum = 0;
    for (unsigned exponent = 127; exponent <= 127 + 31; exponent++) {
        for (unsigned sign = 0; sign <= SIGN_BIN; sign += SIGN_BIN) {
            uint64_t significands = bins->significands[sign + exponent];
            uint64_t size = exponent < ones ? significands >> (ones - exponent)
                                            : significands << (exponent - ones);
            sum += sign == 0 ? size : -size;
        }
    }
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
    fill_bins(&bins, element, x, n);
    add_up(&bins, &sum, &sum_abs);

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
        exact.whole = element == ELEMENT_INT32 ? sum_whole(&bins) : 0;
    }
    return exact;
}
