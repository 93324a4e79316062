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

/* It must pass; or, if there is a reason, fail for that. */
static void fails(float sum, const struct exact_sum *exact, size_t depth, const char *reason, const char *name) {
    struct verdict verdict = check_sum(sum, exact, depth);
    bool right = reason == NULL ? verdict.ok && verdict.reason[0] == '\0'
                                : !verdict.ok && strstr(verdict.reason, reason) != NULL;
    if (!ok(right, "%s: %s", reason == NULL ? "right" : "wrong", name))
        printf("# ok %d, reason \"%s\"\n", verdict.ok, verdict.reason);
}

static void passes(float sum, const struct exact_sum *exact, size_t depth, const char *name) {
    fails(sum, exact, depth, NULL, name);
}

TEST(bounds) {
    enum { DEPTH = 1000 }; /* then the bound is thousands of steps of a float above 100 */
    struct exact_sum exact = {.sum = 100, .sum_abs = 1000, .nearest = 100};
    float most = 100 + DEPTH * 0x1p-24f * 1000;
    while ((double)most - 100 > DEPTH * 0x1p-24 * 1000) most = nextafterf(most, 0);
    passes(100, &exact, DEPTH, "the exact sum");
    passes(most, &exact, DEPTH, "off by just under the bound");
    passes(200 - most, &exact, DEPTH, "to the other side");
    fails(nextafterf(most, 200), &exact, DEPTH, "instead of 100", "off by just over the bound");
    fails(nextafterf(200 - most, 0), &exact, DEPTH, "instead of 100", "to the other side");
    fails(most, &exact, DEPTH - 1, "instead of 100", "a depth of one less does not allow it");
    fails(nextafterf(100, 200), &exact, 0, "nearest float is 100", "a depth of 0 allows nothing");

    struct verdict verdict = check_sum(100.5f, &exact, 10);
    ok(verdict.rel_err == 0.5 / 1000 && verdict.err_bound == 10 * 0x1p-24, "relative error and bound as defined");
}

/* What a broken kernel does to real numbers. */
TEST(mistakes) {
    struct exact_sum ones = exact_of(PATTERN_ONES, N);
    passes(1000, &ones, 10, "a thousand ones");
    fails(999, &ones, 10, "999 instead of 1000", "one of them dropped");
    fails(1001, &ones, 100000000, "+- 0", "one too many, at any depth: no order rounds");
    ok(check_sum(1000, &ones, 10).err_bound == 0, "the bound of ones is 0");

    struct exact_sum uniform = exact_of(PATTERN_UNIFORM, N);
    passes((float)uniform.sum, &uniform, 1, "uniform, correctly rounded");
    double dropped = uniform.sum - (double)x[N - 1];
    fails((float)dropped, &uniform, 10, "instead of", "uniform, the last one dropped");
    fails((float)-uniform.sum, &uniform, 10, "instead of", "the sign swapped");
    fails(0, &uniform, 10, "instead of", "zero");

    struct exact_sum one = exact_of(PATTERN_UNIFORM, 1);
    passes(x[0], &one, 0, "one number, no additions");
    fails(nextafterf(x[0], 2), &one, 0, "nearest float", "its neighbour");

    struct exact_sum none = exact_of(PATTERN_UNIFORM, 0);
    passes(0, &none, 0, "nothing sums to 0");
    passes(-0.0f, &none, 5, "or to minus 0");
    fails(0x1p-149f, &none, 5, "instead of 0", "but not to the smallest float");
    ok(check_sum(0, &none, 5).rel_err == 0, "its relative error is 0, not 0 / 0");
    fails(unwritten(), &none, 5, "nothing was written", "an output that was not written, n = 0");
}

TEST(specials) {
    struct exact_sum finite = exact_of(PATTERN_UNIFORM, N);
    fails(NAN, &finite, 10, "NaN out of finite", "NaN out of finite numbers");
    fails(INFINITY, &finite, 10, "infinite", "infinity out of finite numbers");
    fails(-INFINITY, &finite, 10, "infinite", "minus infinity too");
    fails(NAN, &finite, SIZE_MAX, "NaN out of finite", "at any depth");
    fails(unwritten(), &finite, 10, "nothing was written", "an output that was not written");
    ok(isinf(check_sum(NAN, &finite, 10).rel_err), "the relative error of NaN is infinite");

    struct exact_sum nan = exact_of(PATTERN_NAN, N);
    passes(NAN, &nan, 10, "NaN in, NaN out");
    passes(-NAN, &nan, 10, "of either sign");
    fails(1, &nan, 10, "a NaN went in", "a number came out");
    fails(INFINITY, &nan, 10, "a NaN went in", "an infinity came out");
    fails(unwritten(), &nan, 10, "nothing was written", "the NaN of an unwritten output");

    struct exact_sum above = sum_exactly((const float[]){FLT_MAX, FLT_MAX}, 2);
    passes(INFINITY, &above, 1, "infinity where the exact sum overflows");
    fails(-INFINITY, &above, 1, "+infinity", "of the wrong sign");
    fails(NAN, &above, 1, "+infinity", "NaN instead");
    fails(FLT_MAX, &above, 1, "instead of", "FLT_MAX instead");
    struct exact_sum below = sum_exactly((const float[]){-FLT_MAX, -FLT_MAX}, 2);
    passes(-INFINITY, &below, 1, "minus infinity");
    fails(INFINITY, &below, 1, "-infinity", "of the wrong sign");

    struct exact_sum edge = sum_exactly((const float[]){FLT_MAX, 0x1p103f}, 2);
    passes(INFINITY, &edge, 1, "half a step above FLT_MAX rounds to infinity");
    passes(FLT_MAX, &edge, 1, "and FLT_MAX is within the bound");

    struct exact_sum infinite = sum_exactly((const float[]){1, INFINITY}, 2);
    passes(INFINITY, &infinite, 1, "infinity in, infinity out");
    fails(-INFINITY, &infinite, 1, "+infinity", "of the wrong sign");
    fails(FLT_MAX, &infinite, 1, "+infinity", "or a number");

    struct exact_sum huge = exact_of(PATTERN_HUGE, N);
    passes((float)huge.sum, &huge, 10, "near overflow");
    fails(INFINITY, &huge, 10, "infinite", "but not over it");
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
        passes(serial, &exact, N - 1, pattern_name((enum pattern)p));
        passes(backward, &exact, N - 1, "backward");
        passes(lanes[0], &exact, N / 8 - 1 + 3, "in 8 lanes");
    }
}
