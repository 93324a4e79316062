/*
 * operators_check.c: is the answer of an operator right? Each once more in double precision, and
 * how far floats may be from it, to first order in u = 2^-24. `depth` is the longest way of an
 * element through additions and merges; EXP and the like are errors in units of u.
 *
 *   norm, dot      a sum of d additions errs by d u of the sum of its terms' sizes (check.c). A
 *                  term of dot is part of its fused addition. A term of norm has three roundings;
 *                  a scaling by a larger element has four, and there is at most one for each
 *                  addition. The root halves them, and it and the product add 2.
 *   log_sum_exp    a sum of positive terms. A term, or a scaling, is an exponential: EXP, and u
 *                  times its argument, since that was rounded. The arguments of all scalings on
 *                  one way add up to no more than the range of the elements. The logarithm turns a
 *                  relative error into an absolute one, and is rounded itself (LOG), as is the
 *                  last addition.
 *   mean           a running mean errs by its own rounding and three in delta / n, each of at most
 *                  2 max |x|: 8 d u max |x|. (Older errors shrink as n grows.)
 *   variance       with e the bound of the mean: the products delta (x - mean) have four roundings
 *                  and twice e in delta; the sum of |delta| is at most the root of 2 n times the
 *                  sum of squares S (delta (x - mean) = delta^2 (n - 1) / n, at least half of
 *                  delta^2 from the second element on). So (d + 8) u S + 2 e sqrt(2 n S) + n e^2.
 *
 * EXP and LOG: the CUDA C++ Programming Guide, appendix on mathematical functions: 2 ulp for
 * expf(), 1 for logf() from the correctly rounded result, which is off by half an ulp; an ulp is
 * at most 2 u.
 */
#include "operators.h"

#include <float.h>
#include <math.h>

static const double u = 0x1p-24, EXP = 5, LOG = 3;
static const double higher_orders = 1.01; /* depth * u is far below 1 % */

static size_t one_word(size_t n, size_t row)
{
    (void)n, (void)row;
    return 1;
}

static size_t two_words(size_t n, size_t row)
{
    (void)n, (void)row;
    return 2;
}

static size_t three_words(size_t n, size_t row)
{
    (void)n, (void)row;
    return 3;
}

/* A double that no float is near is an infinity for floats. */
static double as_float_sees_it(double x)
{
    return fabs(x) > (double)FLT_MAX ? copysign(INFINITY, x) : x;
}

static void expect(struct verdict *verdict, const struct answer *a, size_t i, double right,
                   double allowed)
{
    expect_near(verdict, a->out, i, as_float_sees_it(right), allowed * higher_orders);
}

/* ---- maximum, argmax ---- */

/* As larger.h has it for the GPU. */
static bool is_larger(float a, float b)
{
    return a > b || (a != a && b == b);
}

static size_t first_largest(const struct answer *a)
{
    size_t best = a->n > 0 ? 0 : NO_NUMBER;
    float largest = a->n > 0 ? a->in[0] : -INFINITY;
    for (size_t i = 1; i < a->n; i++) {
        float x = a->in[i];
        if (!(x <= largest) && is_larger(x, largest)) { /* the first comparison rejects most */
            best = i;
            largest = x;
        }
    }
    return best;
}

static void expect_largest(const struct answer *a, size_t first, struct verdict *verdict)
{
    float right = a->n > 0 ? a->in[first] : -INFINITY;
    if (!(a->out[0] == right)) /* 0 and -0 are equal */
        expect_float(verdict, a->out, 0, right);
}

static void check_maximum(const struct answer *a, struct verdict *verdict)
{
    expect_largest(a, first_largest(a), verdict);
}

static void check_argmax(const struct answer *a, struct verdict *verdict)
{
    uint64_t right = first_largest(a);
    expect_largest(a, right, verdict);
    expect_word(verdict, a->out, 1, (uint32_t)right);
    expect_word(verdict, a->out, 2, (uint32_t)(right >> 32));
}

/* ---- sums of something ---- */

static void check_norm(const struct answer *a, struct verdict *verdict)
{
    const float *in = a->in;
    double sum = 0;
#pragma omp parallel for simd reduction(+ : sum)
    for (size_t i = 0; i < a->n; i++)
        sum += (double)in[i] * (double)in[i];
    double depth = (double)a->depth;
    expect(verdict, a, 0, sqrt(sum), ((depth + 3 + 4 * depth) / 2 + 2) * u * sqrt(sum));
}

static void check_dot(const struct answer *a, struct verdict *verdict)
{
    size_t half = a->n / 2;
    const float *in = a->in, *other = in + half;
    double sum = 0, sum_abs = 0;
#pragma omp parallel for simd reduction(+ : sum, sum_abs)
    for (size_t i = 0; i < half; i++) {
        double product = (double)in[i] * (double)other[i];
        sum += product;
        sum_abs += fabs(product);
    }
    if (sum_abs <= (double)FLT_MAX) /* else partial sums may be infinite, and their sum a NaN */
        expect(verdict, a, 0, sum, (double)a->depth * u * sum_abs);
    else if (is_poison(a->out, 0))
        expect_float(verdict, a->out, 0, INFINITY);
}

static void check_log_sum_exp(const struct answer *a, struct verdict *verdict)
{
    const float *in = a->in;
    double largest = -INFINITY, least = INFINITY, sum = 0, weighted = 0;
#pragma omp parallel for reduction(max : largest) reduction(min : least)
    for (size_t i = 0; i < a->n; i++) {
        double x = (double)in[i];
        largest = x > largest ? x : largest;
        least = x < least && x > -INFINITY ? x : least;
    }
#pragma omp parallel for reduction(+ : sum, weighted)
    for (size_t i = 0; i < a->n; i++) {
        double x = (double)in[i], e = x == largest ? 1 : exp(x - largest);
        sum += e;
        weighted += e > 0 ? (largest - x) * e : 0;
    }
    double right = largest + log(sum), depth = (double)a->depth;
    double of_sum = depth * (2 + EXP) + EXP + weighted / sum + (largest - least);
    expect(verdict, a, 0, right, (of_sum + LOG * fabs(log(sum)) + fabs(right)) * u);
}

/* ---- mean and variance ---- */

static void check_mean_variance(const struct answer *a, struct verdict *verdict)
{
    const float *in = a->in;
    double n = (double)a->n, sum = 0, largest = 0, squares = 0;
#pragma omp parallel for reduction(+ : sum) reduction(max : largest)
    for (size_t i = 0; i < a->n; i++) {
        double x = (double)in[i], size = fabs(x);
        sum += x;
        largest = size > largest ? size : largest;
    }
    double mean = sum / n;
#pragma omp parallel for simd reduction(+ : squares)
    for (size_t i = 0; i < a->n; i++)
        squares += ((double)in[i] - mean) * ((double)in[i] - mean);
    double depth = (double)a->depth, e = 8 * depth * u * largest, others = n - 1;
    double of_squares = (depth + 8) * u * squares + 2 * e * sqrt(2 * n * squares) + n * e * e;
    expect(verdict, a, 0, mean, e);
    expect(verdict, a, 1, others > 0 ? squares / others : NAN, of_squares / others);
}

const struct task maximum_task = {.name = "maximum", .words = one_word, .check = check_maximum};
const struct task argmax_task = {.name = "argmax", .words = three_words, .check = check_argmax};
const struct task argmax_packed_task = {
    .name = "argmax", .words = three_words, .check = check_argmax, .max_n = UINT32_MAX};
const struct task mean_variance_task = {
    .name = "mean_variance", .words = two_words, .check = check_mean_variance};
const struct task log_sum_exp_task = {
    .name = "log_sum_exp", .words = one_word, .check = check_log_sum_exp};
const struct task norm_task = {.name = "norm", .words = one_word, .check = check_norm};
const struct task dot_task = {.name = "dot", .words = one_word, .check = check_dot, .unit = 2};
