/* The exact sum, against integers of 128 bits and against sums known on paper. */
#include "reference.h"
#include "data.h"
#include "unit.h"
#include "wide.h"

__extension__ typedef __int128 int128;

static uint64_t random_state = 1;

static uint64_t random64(void) { /* xorshift64: Marsaglia, "Xorshift RNGs", 2003 */
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    return random_state ^= random_state << 17;
}

#define SUM(...) sum_exactly((const float[]){__VA_ARGS__}, sizeof(float[]){__VA_ARGS__} / sizeof(float))

/* Random floats between 2^-40 and 2^60 fit in a fixed-point number of 128 bits, which the compiler rounds correctly to
   a double. */
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

TEST(integers) {
    for (int round = 0; round < 20; round++) against_integers(1 + (size_t)round * round * 37, 1 + round * 4);
}

/* Each word: floats, "=", their exact sum as a double; o after it: no float holds it; w: whole numbers that no order of
   adding them rounds. */
static void are_summed(char *table) {
    EACH_WORD (word, table) {
        float x[8];
        size_t n = 0;
        char *at = word;
        for (; *at != '='; at += *at == ',') x[n++] = strtof(at, &at);
        const struct exact_sum exact = sum_exactly(x, n);
        const double right = strtod(at + 1, &at);
        ok((isnan(right) ? isnan(exact.sum) : exact.sum == right) && exact.overflows == (*at == 'o') &&
               exact.exact_in_floats == (*at == 'w'),
           "%s", word);
    }
}

TEST(known_sums) {
    char table[] = "0x1.99999ap-4=0x1.99999ap-4 -0x1.99999ap-4=-0x1.99999ap-4 -0=0w 1e30,1,-1e30=1 -1,0x1p-149=-1",
         subnormals[] = "0x1p-149,0x1p-149,0x1p-149=0x3p-149 0x1.fffffcp-127,0x1p-149=0x1p-126 "
                        "0x1p-126,-0x1p-149=0x1.fffffcp-127",
         specials[] = "1,nan,2=nan 1,-nan,2=nan inf,-inf=nan 1,inf,inf=inf 1,inf=inf nan=nan inf,nan=nan "
                      "-inf,0x1.fffffep127=-inf",
         whole[] = "1,-2,3,0=2w 1,-2,3.5=2.5 1,0x1p-149=1 0x1p24=0x1p24w 0x1p24,1=0x1000001 0x1p23,-0x1p23=0w "
                   "0x1p23,-0x1p23,1=1";
    struct exact_sum none = sum_exactly(NULL, 0);
    ok(none.sum == 0 && none.sum_abs == 0 && !none.overflows && none.exact_in_floats, "nothing sums to 0");
    ok(SUM(-0.1f).sum_abs == (double)0.1f && SUM(1e30f, 1, -1e30f).sum_abs == 2 * (double)1e30f, "|x|, rounded");
    are_summed(table);
    are_summed(subnormals);
    are_summed(specials);
    are_summed(whole);
}

/* Halfway between two doubles, to the even one; the smallest float above or below decides. */
TEST(rounding) {
    char table[] = "0x1p53,1=0x1p53 0x1p53,1,0x1p-149=0x1.0000000000001p53 0x1p53,1,-0x1p-149=0x1p53 "
                   "0x1p53,2,1=0x1.0000000000002p53 0x1p53,2,1,-0x1p-149=0x1.0000000000001p53 -0x1p53,-1=-0x1p53 "
                   "-0x1p53,-2,-1=-0x1.0000000000002p53 0x1p54,-1=0x1p54 0x1p54,-2=0x1.fffffffffffffp53";
    are_summed(table);
}

/* Around FLT_MAX, and half a step above it, where a tie goes to infinity; also by 2^-149, which no double shows, and
   where large terms cancel. */
TEST(overflow) {
    char table[] = "0x1.fffffep127=0x1.fffffep127 0x1.fffffep127,0x1.fffffep127=0x1.fffffep128o "
                   "-0x1.fffffep127,-0x1.fffffep127=-0x1.fffffep128o 0x1.fffffep127,0x1p103=0x1.ffffffp127o "
                   "0x1.fffffep127,0x1.fffffep102=0x1.fffffeffffffp127 "
                   "0x1.fffffep127,0x1p103,-0x1p-149=0x1.ffffffp127 "
                   "0x1.fffffep127,0x1.fffffep127,-0x1.fffffep127=0x1.fffffep127 "
                   "0x1.fffffep127,0x1p-149,-0x1.fffffep127=0x1p-149";
    are_summed(table);
    float many[4096];
    for (int i = 0; i < 4096; i++) many[i] = FLT_MAX;
    ok(sum_exactly(many, 4096).sum == 4096 * (double)FLT_MAX, "4096 times FLT_MAX");
}

/* Arrays of many blocks, and of a last one that is short. */
TEST(long_arrays) {
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

TEST(wide_numbers) {
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
