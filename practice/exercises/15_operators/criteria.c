/* criteria.c: what the exercises of lesson 15 are judged by (practice/practice.h). */
#include "practice.h"

#include <math.h>

static size_t two(size_t n, size_t share)
{
    (void)n, (void)share;
    return 2;
}

static size_t five(size_t n, size_t share)
{
    (void)n, (void)share;
    return 5;
}

static float largest(const float *in, size_t n)
{
    float max = -INFINITY;
    for (size_t i = 0; i < n; i++)
        max = fmaxf(max, in[i]);
    return max;
}

/* The elements as they are, less 100, and with a NaN in three places: 99 stands for that. */
static void five_maxima(const float *in, size_t n, size_t share, float *out)
{
    (void)share;
    out[0] = largest(in, n);
    out[1] = out[0] - 100;
    for (int k = 2; k < 5; k++)
        out[k] = n > 0 ? 99 : -INFINITY;
}

static const char *const maxima[] = {
    "the maximum",
    "the maximum of elements from -108 to -92",
    "with a NaN as the first element (99 is a NaN)",
    "with a NaN as the middle element (99 is a NaN)",
    "with a NaN as the last element (99 is a NaN)",
};

/* Of no elements the number does not matter. */
static void largest_and_number(const float *in, size_t n, size_t share, float *out)
{
    (void)share;
    out[0] = largest(in, n);
    out[1] = NAN;
    for (size_t i = n; i > 0; i--)
        out[1] = in[i - 1] == out[0] ? (float)(i - 1) : out[1];
}

static const char *const and_number[] = {"the largest element", "its number"};

static void largest_and_second(const float *in, size_t n, size_t share, float *out)
{
    (void)share;
    out[0] = out[1] = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        float value = in[i] * (float)(i / 32 * 37 % 61 + 1);
        out[1] = fmaxf(out[1], fminf(value, out[0]));
        out[0] = fmaxf(out[0], value);
    }
}

static const char *const and_second[] = {"the largest element", "the second largest"};

/* A multiple of the unit. Where the kernel may round to one side or the other, either is right:
   near is how far the kernel's floats may be from x, in units. */
static float rounded(double x, double unit, double near)
{
    double units = x / unit, beyond = units - floor(units);
    return fabs(beyond - 0.5) < near ? NAN : (float)(rint(units) * unit);
}

static void mean_and_variance(const float *in, size_t n, size_t share, float *out)
{
    double sum = 0, squares = 0;
    (void)share;
    for (size_t i = 0; i < n; i++)
        sum += (double)in[i];
    double mean = sum / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += ((double)in[i] - mean) * ((double)in[i] - mean);
    out[0] = n > 0 ? rounded(mean, 0.25, 0.06) : NAN;
    out[1] = n > 0 ? rounded(squares / (double)n, 0.25, 0.06) : NAN;
}

static const char *const and_variance[] = {"the mean less 4096", "the variance"};

static void log_sum_exp(const float *in, size_t n, size_t share, float *out)
{
    double sum = 0;
    (void)share;
    out[0] = largest(in, n) + 100;
    for (size_t i = 0; i < n; i++)
        sum += exp((double)in[i] + 100 - (double)out[0]);
    out[1] = n > 0 ? rounded(log(sum), 1.0 / 1024, 0.02) : -INFINITY;
}

static const char *const and_logarithm[] = {"the largest element",
                                            "the logarithm of the sum of e^(x - largest)"};

static const struct reference of_floats = {"two numbers", two, NULL, false}; /* for a quiz */
static const struct reference maximum = {"the maximum of five arrays", five, five_maxima, false};
static const struct reference first = {"the first of the largest elements", two, largest_and_number,
                                       false};
static const struct reference second = {"the two largest elements", two, largest_and_second, false};
static const struct reference moments = {"mean and variance", two, mean_and_variance, false};
static const struct reference logarithm = {"log-sum-exp", two, log_sum_exp, false};

const struct criteria criteria[] = {
    {
        .file = "1_predict",
        .reference = &of_floats,
        .sizes = {2048, 4096, 8192, 16384},
        .blocks = {64, 128, 256},
        .questions =
            {
                {"shuffles of warps", SHUFFLES,
                 .traps = {{SHUFFLES, 0.5, .says = "a shuffle moves one word, and a state has two"},
                           {LAUNCHES, 10, .says = "that is one warp, once"}}},
                {"from n^2 to the next float", OUTPUT + 0,
                 .traps = {{LAUNCHES, 1, .says = "a float has 24 bits, and n^2 has more"},
                           {OUTPUT + 0, 0.5,
                            .says =
                                "of 24 bits the first is worth n^2, and the last 2^-23 of that"}}},
                {"the variance from the sums", OUTPUT + 1,
                 .traps = {{LAUNCHES, 9, .says = "n^2 + 9 is no float: what is nearest?"}}},
            },
    },
    {
        .file = "2_lost_maximum",
        .reference = &maximum,
        .called = maxima,
        .blocks = {64, 256, 32, 96, 1024},
        .limits = {{LAUNCHES, AT_MOST, 5, .n = 16384, .block = 256,
                    .says = "one for each of five maxima"},
                   {LOADED_FLOATS, AT_MOST, 5 * (16384 + 4 * 1), .n = 16384, .block = 256,
                    .also = {20500, 4096, 64},
                    .says = "each element is read once, and the states of 4 blocks"},
                   {BLOCKS, AT_LEAST, 4, .n = 16384, .block = 256,
                    .says = "GRID stays 4: a block for each SM"}},
    },
    {
        .file = "3_first_of_equal",
        .reference = &first,
        .called = and_number,
        .sizes = {70000},
        .blocks = {64, 256, 32, 96, 1024},
        .limits = {{LAUNCHES, AT_MOST, 1, .n = 16384, .block = 256,
                    .says = "one is enough: merge() knows both numbers"},
                   {LOADED_FLOATS, AT_MOST, 1 * (16384 + 4 * 2), .n = 16384, .block = 256,
                    .also = {4104, 4096, 64},
                    .says = "each element is read once, and the states of 4 blocks"},
                   {BLOCKS, AT_LEAST, 4, .n = 16384, .block = 256,
                    .says = "GRID stays 4: a block for each SM"}},
    },
    {
        .file = "4_two_largest",
        .reference = &second,
        .called = and_second,
        .most = 100,
        .blocks = {64, 256, 32, 96, 1024},
        .limits = {{LAUNCHES, AT_MOST, 1, .n = 16384, .block = 256,
                    .says = "one is enough: a state has room for both"},
                   {LOADED_FLOATS, AT_MOST, 1 * (16384 + 4 * 2), .n = 16384, .block = 256,
                    .also = {4104, 4096, 64},
                    .says = "each element is read once, and the states of 4 blocks"},
                   {BLOCKS, AT_LEAST, 4, .n = 16384, .block = 256,
                    .says = "GRID stays 4: a block for each SM"}},
    },
    {
        .file = "5_merge_means",
        .reference = &moments,
        .called = and_variance,
        .blocks = {64, 256, 32, 96, 1024},
        .limits = {{LAUNCHES, AT_MOST, 1, .n = 16384, .block = 256,
                    .says = "one is enough: a state has room for all"},
                   {LOADED_FLOATS, AT_MOST, 1 * (16384 + 4 * 3), .n = 16384, .block = 256,
                    .also = {4108, 4096, 64},
                    .says = "each element is read once, and the states of 4 blocks"},
                   {BLOCKS, AT_LEAST, 4, .n = 16384, .block = 256,
                    .says = "GRID stays 4: a block for each SM"}},
    },
    {
        .file = "6_one_pass",
        .reference = &logarithm,
        .shift = 60,
        .called = and_logarithm,
        .blocks = {64, 256, 32, 96, 1024},
        .limits = {{LAUNCHES, AT_MOST, 1, .n = 16384, .block = 256,
                    .says = "one is enough: the sum can be scaled when a larger element comes"},
                   {LOADED_FLOATS, AT_MOST, 1 * (16384 + 4 * 2), .n = 16384, .block = 256,
                    .also = {4104, 4096, 64},
                    .says = "each element is read once, and the states of 4 blocks"},
                   {BLOCKS, AT_LEAST, 4, .n = 16384, .block = 256,
                    .says = "GRID stays 4: a block for each SM"}},
    },
    {0},
};
