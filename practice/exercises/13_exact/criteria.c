/* criteria.c: what the exercises of lesson 13 are judged by (practice/practice.h). */
#include "practice.h"

static size_t three(size_t n, size_t share)
{
    (void)n, (void)share;
    return 3;
}

static const char *const sums[] = {
    "the sum",
    "2^40 + 2^-20 - 2^40",
    "the kind of infinity + NaN + 2",
    "the kind of 1 + infinity + infinity",
    "the kind of -infinity + 1 + 2",
    "the kind of infinity + 1 - infinity",
    "the kind of -0 three times",
    "the kind of -0, 0 and -0",
    "the kind of a sum of nothing",
};

static size_t nine(size_t n, size_t share)
{
    (void)n, (void)share;
    return 9;
}

/* Kinds as sum_kinds() of the exercise numbers them. */
static void answer_kinds(const float *in, size_t n, size_t share, float *out)
{
    static const float right[9] = {0, 0x1p-20f, 1, 2, 3, 1, 4, 0, 0};
    (void)share;
    for (int k = 0; k < 9; k++)
        out[k] = right[k];
    for (size_t i = 0; i < n; i++)
        out[0] += in[i];
}

static const struct reference places = {"three numbers", three, NULL, false}; /* for a quiz */
static const struct reference kinds = {"the sum, and what comes of others", nine, answer_kinds,
                                       false};

const struct criteria criteria[] = {
    {
        .file = "1_predict",
        .reference = &places,
        .sizes = {6, 384, 3072},
        .blocks = {32, 64, 128},
        .questions =
            {
                {"the accumulator", OUTPUT + 0,
                 .traps = {{LAUNCHES, 4, .says = "x is negative: the sign is a bit of it, too"},
                           {LAUNCHES, 3, .says = "x is negative: the sign is a bit of it, too"}}},
                {"bits to the left", OUTPUT + 1},
                {"what is carried", OUTPUT + 2},
            },
    },
    {
        .file = "2_no_number",
        .reference = &kinds,
        .called = sums,
        .blocks = {64, 256, 32, 1024},
        .limits = {{ATOMICS, AT_MOST, 2 * (1000 + 7 * 3) - 7, .n = 1000, .block = 64,
                    .also = {2035, 1000, 256},
                    .says = "two for each element at most: its units, and what it is"}},
    },
    {
        .file = "3_known_range",
        .whole = true,
        .reference = &the_sum,
        .blocks = {64, 256, 32, 1024},
        .limits = {{ATOMICS, AT_MOST, 32, .n = 4096, .block = 256, .also = {8, 4096, 64},
                    .says = "one for each of 32 warps"},
                   {LOADED_FLOATS, AT_MOST, 5 * 4096 + 2, .n = 4096, .block = 256,
                    .also = {20482, 4096, 64},
                    .says = "four times 4096 elements, each once; 4096 are of add_huge()"}},
        .against = "fixed_range",
    },
    {
        .file = "4_two_banks",
        .reference = &the_sum,
        .blocks = {64, 256, 32, 96},
        .limits = {{WORST_CONFLICT, AT_MOST, 2, .n = 4096, .block = 256, .also = {2, 4096, 64},
                    .says = "64 bits for each of 32 lanes are two wavefronts, if no bank is asked "
                            "for more"},
                   {SHARED_LOAD_WAVEFRONTS, AT_MOST, 256 + 512, .n = 4096, .block = 256,
                    .also = {384, 4096, 64},
                    .says = "two for each request: 128 for the floats, and 16 for each of 16 warps "
                            "at the end"},
                   {SHARED_FLOATS, AT_LEAST, 4 * 4096, .n = 4096, .block = 256,
                    .also = {16384, 4096, 64},
                    /* how the others are cleared and read at the end is free */
                    .says = "each float is added to 64 bits in shared memory: a load and a store"}},
        .against = "accumulators",
    },
    {0},
};
