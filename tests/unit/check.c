/* The verdict: right sums pass, wrong ones do not, by however little. */
#include "check.h"
#include "data.h"
#include "unit.h"

enum { N = 1000 };
static float x[N];

static struct exact_sum exact_of(enum pattern pattern, size_t n) {
    fill_data(x, n, pattern, 1);
    return sum_exactly(x, n);
}

/* A sum, and why it is wrong; NULL: it is right. */
struct sum_and_why {
    float sum;
    const char *why;
};

#define JUDGED(WHAT, EXACT, DEPTH, ...)                                                                                \
    judged(WHAT, EXACT, DEPTH, (const struct sum_and_why[]){__VA_ARGS__},                                              \
           COUNT(((const struct sum_and_why[]){__VA_ARGS__})))
static void judged(const char *what, const struct exact_sum *exact, size_t depth, const struct sum_and_why *sums,
                   size_t count) {
    for (const struct sum_and_why *s = sums; s < sums + count; s++) {
        struct verdict is = check_sum(s->sum, exact, depth);
        bool right = is.ok == (s->why == NULL) && (is.ok ? is.reason[0] == '\0' : strstr(is.reason, s->why) != NULL);
        if (!ok(right, "%s: %.9g: %s", what, (double)s->sum, s->why == NULL ? "right" : s->why))
            printf("# ok %d, reason \"%s\"\n", is.ok, is.reason);
    }
}

TEST(bounds) {
    enum { DEPTH = 1000 }; /* then the bound is thousands of steps of a float above 100 */
    struct exact_sum exact = {.sum = 100, .sum_abs = 1000, .nearest = 100};
    float most = 100 + DEPTH * 0x1p-24f * 1000;
    while ((double)most - 100 > DEPTH * 0x1p-24 * 1000) most = nextafterf(most, 0);
    JUDGED("around the bound", &exact, DEPTH, {100, NULL}, {most, NULL}, {200 - most, NULL},
           {nextafterf(most, 200), "instead of 100"}, {nextafterf(200 - most, 0), "instead of 100"});
    JUDGED("a depth of one less does not allow it", &exact, DEPTH - 1, {most, "instead of 100"});
    JUDGED("a depth of 0 allows nothing", &exact, 0, {nextafterf(100, 200), "nearest float is 100"});

    struct verdict verdict = check_sum(100.5f, &exact, 10);
    ok(verdict.rel_err == 0.5 / 1000 && verdict.err_bound == 10 * 0x1p-24, "relative error and bound as defined");
}

/* What a broken kernel does to real numbers. */
TEST(mistakes) {
    struct exact_sum ones = exact_of(PATTERN_ONES, N);
    JUDGED("a thousand ones", &ones, 10, {1000, NULL}, {999, "999 instead of 1000"});
    JUDGED("one too many, at any depth: no order rounds", &ones, 100000000, {1001, "+- 0"});
    ok(check_sum(1000, &ones, 10).err_bound == 0, "the bound of ones is 0");

    struct exact_sum uniform = exact_of(PATTERN_UNIFORM, N);
    JUDGED("uniform, correctly rounded", &uniform, 1, {(float)uniform.sum, NULL});
    JUDGED("uniform: the last one dropped, the sign swapped, zero", &uniform, 10,
           {(float)(uniform.sum - (double)x[N - 1]), "instead of"}, {(float)-uniform.sum, "instead of"},
           {0, "instead of"});

    struct exact_sum one = exact_of(PATTERN_UNIFORM, 1);
    JUDGED("one number, no additions", &one, 0, {x[0], NULL}, {nextafterf(x[0], 2), "nearest float"});

    struct exact_sum none = exact_of(PATTERN_UNIFORM, 0);
    JUDGED("nothing sums to 0, or to minus 0", &none, 5, {0, NULL}, {-0.0f, NULL}, {0x1p-149f, "instead of 0"},
           {unwritten(), "nothing was written"});
    ok(check_sum(0, &none, 5).rel_err == 0, "its relative error is 0, not 0 / 0");
}

TEST(specials) {
    struct exact_sum finite = exact_of(PATTERN_UNIFORM, N);
    JUDGED("out of finite numbers", &finite, 10, {NAN, "NaN out of finite"}, {INFINITY, "infinite"},
           {-INFINITY, "infinite"}, {unwritten(), "nothing was written"});
    JUDGED("at any depth", &finite, SIZE_MAX, {NAN, "NaN out of finite"});
    ok(isinf(check_sum(NAN, &finite, 10).rel_err), "the relative error of NaN is infinite");

    struct exact_sum nan = exact_of(PATTERN_NAN, N);
    JUDGED("NaN in, NaN out, of either sign", &nan, 10, {NAN, NULL}, {-NAN, NULL}, {1, "a NaN went in"},
           {INFINITY, "a NaN went in"}, {unwritten(), "nothing was written"});

    struct exact_sum above = sum_exactly((const float[]){FLT_MAX, FLT_MAX}, 2);
    JUDGED("infinity where the exact sum overflows", &above, 1, {INFINITY, NULL}, {-INFINITY, "+infinity"},
           {NAN, "+infinity"}, {FLT_MAX, "instead of"});
    struct exact_sum below = sum_exactly((const float[]){-FLT_MAX, -FLT_MAX}, 2);
    JUDGED("minus infinity", &below, 1, {-INFINITY, NULL}, {INFINITY, "-infinity"});

    struct exact_sum edge = sum_exactly((const float[]){FLT_MAX, 0x1p103f}, 2);
    JUDGED("half a step above FLT_MAX rounds to infinity, and FLT_MAX is within the bound", &edge, 1, {INFINITY, NULL},
           {FLT_MAX, NULL});

    struct exact_sum infinite = sum_exactly((const float[]){1, INFINITY}, 2);
    JUDGED("infinity in, infinity out", &infinite, 1, {INFINITY, NULL}, {-INFINITY, "+infinity"},
           {FLT_MAX, "+infinity"});

    struct exact_sum huge = exact_of(PATTERN_HUGE, N);
    JUDGED("near overflow, but not over it", &huge, 10, {(float)huge.sum, NULL}, {INFINITY, "infinite"});
}

/* Real sums in several orders stay within the bound of their own depth. */
TEST(orders) {
    for (int p = 0; p < PATTERN_NAN; p++) {
        struct exact_sum exact = exact_of((enum pattern)p, N);
        float serial = 0, backward = 0, lanes[8] = {0};
        for (int i = 0; i < N; i++) {
            serial += x[i];
            backward += x[N - 1 - i];
            lanes[i % 8] += x[i];
        }
        for (int half = 4; half > 0; half /= 2)
            for (int i = 0; i < half; i++) lanes[i] += lanes[i + half];
        JUDGED(pattern_name((enum pattern)p), &exact, N - 1, {serial, NULL}, {backward, NULL});
        JUDGED("in 8 lanes", &exact, N / 8 - 1 + 3, {lanes[0], NULL});
    }
}
