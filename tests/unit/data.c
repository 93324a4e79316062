/* The numbers that are summed: their ranges, and that they are the same everywhere. */
#include "data.h"
#include "ragged.h"
#include "reference.h"
#include "unit.h"

enum { N = 100003 };
static float x[N], y[N];

static size_t count_nans(const float *a, size_t n) {
    size_t nans = 0;
    for (size_t i = 0; i < n; i++) nans += isnan(a[i]) != 0;
    return nans;
}

static bool all_within(const float *a, size_t n, float low, float high) {
    for (size_t i = 0; i < n; i++) {
        if (!(a[i] >= low && a[i] <= high)) return false;
    }
    return true;
}

TEST(names) {
    for (int p = 0; p < PATTERN_COUNT; p++) {
        enum pattern back = PATTERN_COUNT;
        ok(pattern_from_name(pattern_name((enum pattern)p), &back) && back == (enum pattern)p,
           "%s is known by its name", pattern_name((enum pattern)p));
    }
    enum pattern untouched = PATTERN_RAMP;
    ok(!pattern_from_name("sawtooth", &untouched) && untouched == PATTERN_RAMP, "sawtooth is no pattern");
    IS(!pattern_from_name("", &untouched) && !pattern_from_name("one", &untouched));
}

/* The same for each pattern: seeds, threads, and the first n of a longer run. */
static void is_repeatable(enum pattern p) {
    const char *name = pattern_name(p);
    fill_data(x, N, p, 1);
    omp_set_num_threads(3);
    fill_data(y, N, p, 1);
    ok(memcmp(x, y, sizeof x) == 0, "%s: the same again, with 3 threads", name);
    fill_data(y, N, p, 2);
    bool constant = p == PATTERN_ONES || p == PATTERN_RAMP;
    ok((memcmp(x, y, sizeof x) == 0) == constant, "%s: another seed, %s numbers", name,
       constant ? "the same" : "other");
    memset(y, 0, sizeof y);
    fill_data(y, 1001, p, 1);
    bool prefix = memcmp(x, y, 1001 * sizeof *x) == 0;
    ok(prefix || pattern_depends_on_n(p), "%s: the first 1001 are those of n = 1001", name);
    ok(y[1001] == 0, "%s: writes no further than n", name);
}

TEST(repeatable) {
    for (int p = 0; p < PATTERN_COUNT; p++) is_repeatable((enum pattern)p);
}

TEST(ranges) {
    fill_data(x, N, PATTERN_UNIFORM, 1);
    struct exact_sum sum = sum_exactly(x, N);
    ok(all_within(x, N, -0x1.fffffep-1f, 0x1.fffffep-1f), "uniform: in (-1, 1)");
    ok(fabs(sum.sum / N) < 0.01 && fabs(sum.sum_abs / N - 0.5) < 0.01, "uniform: mean 0, |x| 1/2");
    fill_data(x, N, PATTERN_POSITIVE, 1);
    ok(all_within(x, N, 0x1p-24f, 1), "positive: in (0, 1]");
    ok(fabs(sum_exactly(x, N).sum / N - 0.5) < 0.01, "positive: mean 1/2");
    fill_data(x, N, PATTERN_ONES, 1);
    ok(all_within(x, N, 1, 1), "ones: all 1");

    fill_data(x, 1300, PATTERN_RAMP, 1);
    ok(all_within(x, 1300, -5, 7) && sum_exactly(x, 1300).sum == 1300, "ramp: -5 to 7, mean 1");
    ok(sum_exactly(x, 1300).exact_in_floats, "ramp: whole numbers");
    ok(x[0] == -5 && x[12] == 7 && x[13] == -5, "ramp: 13 numbers, over and over");

    fill_data(x, 99999, PATTERN_CANCEL, 1);
    sum = sum_exactly(x, 99999);
    ok(fabs(sum.sum) < 99999 / 3 && sum.sum_abs > 0x1p23 * 66666, "cancel: large terms, small sum");
    ok(x[0] >= 0x1p23f && x[2] == -x[0] && fabsf(x[1]) < 1, "cancel: large, small, - large");
}

TEST(huge) {
    const size_t sizes[] = {1, 2, 3, 1000, 65537, N};
    for (size_t k = 0; k < COUNT(sizes); k++) {
        size_t n = sizes[k];
        fill_data(x, n, PATTERN_HUGE, k);
        double sum = sum_exactly(x, n).sum;
        float serial = 0;
        for (size_t i = 0; i < n; i++) serial += x[i];
        ok(sum >= FLT_MAX / 4.0001 && sum <= FLT_MAX / 2.0 && isfinite(serial),
           "huge, n = %zu: the sum is between FLT_MAX / 4 and / 2", n);
    }
    /* The worst case of a serial sum is one that stops growing, or rounds up at each step: 2^25 terms show it. */
    size_t n = (size_t)1 << 25;
    float *many = malloc(n * sizeof *many), serial = 0;
    if (many == NULL) abort();
    fill_data(many, n, PATTERN_HUGE, 1);
    for (size_t i = 0; i < n; i++) serial += many[i];
    ok(isfinite(serial), "huge, n = 32M: even a serial sum does not overflow");
    free(many);
}

TEST(nan_pattern) {
    size_t places = 0, last = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        size_t place = 0;
        fill_data(x, 1000, PATTERN_NAN, seed);
        for (size_t i = 0; i < 1000; i++) place = isnan(x[i]) ? i : place;
        places += place != last;
        last = place;
        if (count_nans(x, 1000) != 1) ok(false, "nan: one NaN with seed %d", (int)seed);
    }
    ok(places > 15, "nan: the place depends on the seed");
    for (size_t n = 1; n <= 5; n++) {
        fill_data(x, n, PATTERN_NAN, 1);
        ok(count_nans(x, n) == 1, "nan, n = %zu: one NaN", n);
    }
    x[0] = 3;
    fill_data(x, 0, PATTERN_NAN, 1);
    ok(x[0] == 3, "n = 0 writes nothing");
}

/* Rows of different lengths: where they begin, and that they are what is said of them. */
enum { MOST = 5000 };
static size_t offsets[MOST + 1];

/* Whether they are in order, from 0 to n. */
static bool in_order(size_t rows, size_t n) {
    bool right = offsets[0] == 0 && offsets[rows] == n;
    for (size_t r = 0; r < rows; r++) right = right && offsets[r] <= offsets[r + 1];
    return right;
}

static size_t rows_of(size_t rows, size_t length) {
    size_t count = 0;
    for (size_t r = 0; r < rows; r++) count += offsets[r + 1] - offsets[r] == length;
    return count;
}

TEST(names_of_lengths) {
    enum lengths lengths = LENGTHS_EQUAL;
    for (int k = 0; k < LENGTHS_COUNT; k++)
        ok(lengths_from_name(lengths_name((enum lengths)k), &lengths) && (int)lengths == k, "the name %s",
           lengths_name((enum lengths)k));
    ok(!lengths_from_name("", &lengths) && !lengths_from_name("long", &lengths), "no such name");
}

TEST(orders) {
    static const size_t shapes[][2] = {{0, 0},    {1, 1},       {1, 7},           {2, 3},       {5, 4},
                                       {MOST, 0}, {MOST, 4999}, {MOST, 5 * MOST}, {3, 1 << 20}, {7, 100}};
    for (int k = 0; k < LENGTHS_COUNT; k++)
        for (size_t i = 0; i < COUNT(shapes); i++) {
            make_offsets(offsets, shapes[i][0], shapes[i][1], (enum lengths)k, 1 + i);
            ok(in_order(shapes[i][0], shapes[i][1]), "%s: %zu rows of %zu floats in order",
               lengths_name((enum lengths)k), shapes[i][0], shapes[i][1]);
        }
}

TEST(lengths) {
    make_offsets(offsets, 1000, 1 << 20, LENGTHS_ONE_LONG, 1);
    ok(rows_of(1000, 3) == 999 && rows_of(1000, (1 << 20) - 3 * 999) == 1, "one long row");
    make_offsets(offsets, 1000, 2000, LENGTHS_ONE_LONG, 1);
    ok(rows_of(1000, 0) == 999 && rows_of(1000, 2000) == 1, "with nothing left for the others");
    make_offsets(offsets, 1000, 16384, LENGTHS_EQUAL, 1);
    ok(rows_of(1000, 16) + rows_of(1000, 17) == 1000, "equal rows");
    make_offsets(offsets, 4096, 1 << 20, LENGTHS_RANDOM, 1);
    size_t empty = rows_of(4096, 0), first = offsets[1], longest = 0;
    for (size_t r = 0; r < 4096; r++)
        longest = offsets[r + 1] - offsets[r] > longest ? offsets[r + 1] - offsets[r] : longest;
    ok(empty > 900 && empty < 1150, "random rows: a quarter is empty, %zu", empty);
    ok(longest > 512 && longest < 1024, "the longest has %zu", longest);
    make_offsets(offsets, 4096, 1 << 20, LENGTHS_RANDOM, 2);
    ok(offsets[1] != first, "another seed, another draw");
}
