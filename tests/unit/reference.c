/* The exact sum, against integers of 128 bits and against sums known on paper. */
#include "reference.h"
#include "data.h"
#include "unit.h"
#include "wide.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef __int128 int128;

static uint64_t random_state = 1;

static uint64_t random64(void) /* xorshift64: Marsaglia, "Xorshift RNGs", 2003 */
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    return random_state ^= random_state << 17;
}

#define SUM(...) sum_exactly((const float[]){__VA_ARGS__}, sizeof(float[]){__VA_ARGS__} / sizeof(float))

/* Random floats between 2^-40 and 2^60 fit in a fixed-point number of 128 bits, which
   the compiler rounds correctly to a double. */
static void against_integers(size_t n, int exponents) {
    float *x = malloc(n * sizeof *x);
    int128 sum = 0, sum_abs = 0;
    for (size_t i = 0; i < n; i++) {
        int64_t significand = (int64_t)(random64() >> 40) - (1 << 23);
        int shift = (int)(random64() % (uint64_t)exponents);
        int128 fixed = (int128)significand * ((int128)1 << shift);
        x[i] = ldexpf((float)significand, shift - 40);
        sum += fixed;
        sum_abs += fixed < 0 ? -fixed : fixed;
    }
    struct exact_sum exact = sum_exactly(x, n);
    ok(exact.sum == ldexp((double)sum, -40) && exact.sum_abs == ldexp((double)sum_abs, -40),
       "%zu numbers of %d exponents: as with 128-bit integers", n, exponents);
    free(x);
}

static void known_sums(void) {
    struct exact_sum none = sum_exactly(NULL, 0);
    ok(none.sum == 0 && none.sum_abs == 0 && !none.overflows, "nothing sums to 0");
    ok(SUM(0.1f).sum == (double)0.1f, "one number is its own sum");
    ok(SUM(-0.1f).sum == -(double)0.1f && SUM(-0.1f).sum_abs == (double)0.1f, "a negative one");
    ok(SUM(-0.0f).sum == 0, "minus zero");
    ok(SUM(1e30f, 1, -1e30f).sum == 1, "1e30 + 1 - 1e30 is 1");
    ok(SUM(1e30f, 1, -1e30f).sum_abs == 2 * (double)1e30f, "its |x| sum to 2e30, rounded");
    ok(SUM(FLT_MAX, 0x1p-149f, -FLT_MAX).sum == 0x1p-149, "the widest cancellation there is");
    ok(SUM(0x1p-149f, 0x1p-149f, 0x1p-149f).sum == 3 * 0x1p-149, "subnormals");
    ok(SUM(0x1.fffffcp-127f, 0x1p-149f).sum == 0x1p-126, "subnormals that make a normal");
    ok(SUM(0x1p-126f, -0x1p-149f).sum == 0x1.fffffcp-127, "and a normal that becomes subnormal");
    ok(SUM(-1, 0x1p-149f).sum == -1, "-1 + 2^-149 rounds to -1");
}

/* Halfway between two doubles, to the even one; the smallest float above decides. */
static void rounding(void) {
    ok(SUM(0x1p53f, 1).sum == 0x1p53, "2^53 + 1: tie, to even, down");
    ok(SUM(0x1p53f, 1, 0x1p-149f).sum == 0x1p53 + 2, "and 2^-149 more: up");
    ok(SUM(0x1p53f, 1, -0x1p-149f).sum == 0x1p53, "or less: down");
    ok(SUM(0x1p53f, 2, 1).sum == 0x1p53 + 4, "2^53 + 3: tie, to even, up");
    ok(SUM(0x1p53f, 2, 1, -0x1p-149f).sum == 0x1p53 + 2, "and 2^-149 less: down");
    ok(SUM(-0x1p53f, -1).sum == -0x1p53, "-2^53 - 1: tie, to even");
    ok(SUM(-0x1p53f, -2, -1).sum == -0x1p53 - 4, "-2^53 - 3: tie, to even");
    ok(SUM(0x1p54f, -1).sum == 0x1p54, "2^54 - 1: tie, to even, up to the next power of 2");
    ok(SUM(0x1p54f, -2).sum == 0x1p54 - 2, "2^54 - 2 is a double");
}

static void overflow(void) {
    float half_step = 0x1p103f, below = nextafterf(half_step, 0);
    ok(!SUM(FLT_MAX).overflows, "FLT_MAX does not overflow");
    ok(SUM(FLT_MAX, FLT_MAX).overflows && SUM(FLT_MAX, FLT_MAX).sum == 2 * (double)FLT_MAX,
       "twice FLT_MAX does, and a double holds it");
    ok(SUM(-FLT_MAX, -FLT_MAX).overflows, "so does minus twice");
    ok(SUM(FLT_MAX, half_step).overflows, "half a step above FLT_MAX: the tie goes to infinity");
    ok(!SUM(FLT_MAX, below).overflows, "a little less does not");
    ok(!SUM(FLT_MAX, half_step, -0x1p-149f).overflows, "nor by 2^-149 less, which no double shows");
    ok(!SUM(FLT_MAX, FLT_MAX, -FLT_MAX).overflows, "nor where large terms cancel");
    float many[4096];
    for (int i = 0; i < 4096; i++) many[i] = FLT_MAX;
    ok(sum_exactly(many, 4096).sum == 4096 * (double)FLT_MAX, "4096 times FLT_MAX");
}

static void specials(void) {
    ok(isnan(SUM(1, NAN, 2).sum), "NaN in, NaN out");
    ok(isnan(SUM(1, -NAN, 2).sum), "a negative NaN too");
    ok(isnan(SUM(INFINITY, -INFINITY).sum), "+infinity - infinity is NaN");
    ok(SUM(1, INFINITY, INFINITY).sum == INFINITY, "+infinity");
    ok(SUM(-INFINITY, FLT_MAX).sum == -INFINITY, "-infinity");
    ok(isnan(SUM(INFINITY, NAN).sum), "NaN beside an infinity");
    ok(!SUM(1, INFINITY).overflows && !SUM(NAN).overflows, "none of this is an overflow");
    ok(!SUM(1, INFINITY).exact_in_floats && !SUM(NAN).exact_in_floats, "nor whole numbers");
}

static void whole_numbers(void) {
    ok(sum_exactly(NULL, 0).exact_in_floats, "nothing at all is exact in floats");
    ok(SUM(1, -2, 3, 0).exact_in_floats, "small whole numbers are");
    ok(!SUM(1, -2, 3.5f).exact_in_floats, "one half among them is not");
    ok(!SUM(1, 0x1p-149f).exact_in_floats, "nor is a subnormal");
    ok(SUM(0x1p24f).exact_in_floats, "2^24 is");
    ok(!SUM(0x1p24f, 1).exact_in_floats, "2^24 + 1 is not");
    ok(SUM(0x1p23f, -0x1p23f).exact_in_floats, "|x| of 2^24 in all");
    ok(!SUM(0x1p23f, -0x1p23f, 1).exact_in_floats, "and 1 more");
}

/* Arrays of many blocks, and of a last one that is short. */
static void long_arrays(void) {
    size_t n = 2 * ((size_t)1 << 24) + 5;
    float *x = malloc(n * sizeof *x);
    int64_t sum = 0;
    fill_data(x, n, PATTERN_ONES, 1);
    ok(sum_exactly(x, 1 << 24).exact_in_floats, "2^24 ones are exact in floats");
    ok(!sum_exactly(x, (1 << 24) + 1).exact_in_floats, "2^24 + 1 are not");
    ok(sum_exactly(x, n).sum == (double)n, "%zu ones", n);
    for (size_t i = 0; i < n; i++) x[i] = nextafterf(2, 0);
    ok(sum_exactly(x, n).sum == (double)n * (2 - 0x1p-23), "%zu with all bits set", n);
    fill_data(x, n, PATTERN_UNIFORM, 1);
    for (size_t i = 0; i < n; i++) sum += (int64_t)(x[i] * 0x1p24f);
    for (int threads = 1; threads <= 5; threads += 2) {
        omp_set_num_threads(threads);
        ok(sum_exactly(x, n).sum == (double)sum * 0x1p-24, "%zu uniform, %d threads", n, threads);
    }
    free(x);
}

static void wide_numbers(void) {
    struct wide w = {{0}};
    ok(wide_round(&w, 24) == 0, "a wide number begins at 0");
    wide_add(&w, UINT64_C(1) << 63, 253, false);
    ok(wide_round(&w, 53) == 0x1p167, "2^63 of the largest unit");
    wide_add(&w, 1, 0, true);
    ok(wide_round(&w, 53) == 0x1p167 && wide_round(&w, 1) == 0x1p167, "less the smallest, rounded");
    wide_add(&w, UINT64_C(1) << 63, 253, true);
    ok(wide_round(&w, 53) == -0x1p-149, "and only minus the smallest is left");
    wide_add(&w, 12, 0, false);
    ok(wide_round(&w, 3) == 12 * 0x1p-149 && wide_round(&w, 53) == 11 * 0x1p-149,
       "11 units: 12 with three bits, 11 with 53");
}

int main(void) {
    known_sums();
    rounding();
    overflow();
    specials();
    whole_numbers();
    wide_numbers();
    for (int round = 0; round < 20; round++) against_integers(1 + (size_t)round * round * 37, 1 + round * 4);
    long_arrays();
    return done_testing();
}
