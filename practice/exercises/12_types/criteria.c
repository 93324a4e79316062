/* criteria.c: what the exercises of lesson 12 are judged by (practice/practice.h). */
#include "practice.h"

static size_t three(size_t n, size_t share)
{
    (void)n, (void)share;
    return 3;
}

static size_t one(size_t n, size_t share)
{
    (void)n, (void)share;
    return 1;
}

static void sum(const float *in, size_t n, size_t share, float *out)
{
    (void)share;
    out[0] = 0;
    for (size_t i = 0; i < n; i++)
        out[0] += in[i];
}

static const char *const in_units[] = {"the sum, in units of 2^27 (32 bits end at 16)"};

static const struct reference sums = {"three sums", three, NULL, false}; /* for a quiz */
/* No element is to blame where a sum wraps: so it is not asked which are missing. */
static const struct reference large_sum = {"the sum of large integers", one, sum, false};

const struct criteria criteria[] = {
    {
        .file = "1_predict",
        .reference = &sums,
        .sizes = {16384, 32768, 65536},
        .blocks = {16, 32, 64},
        .questions =
            {
                {"n ones in half", OUTPUT + 0,
                 .traps = {{LAUNCHES, 256, .says = "a bfloat16 is stuck there: a half has 11 bits"},
                           {LAUNCHES, 1024, .says = "1025 is a half, too"}}},
                {"n twos in bfloat16", OUTPUT + 1,
                 .traps = {{LAUNCHES, 256, .says = "258 is a bfloat16: there they are 2 apart"},
                           {OUTPUT + 0, 1, .says = "a half has 11 bits, a bfloat16 has 8"}}},
                {"n ones in bfloat16, by a block", OUTPUT + 2,
                 .traps = {{LAUNCHES, 256,
                            .says = "there a thread is stuck; but two equal sums are added "
                                    "without a loss"}}},
            },
    },
    {
        .file = "2_too_late",
        .whole = true,
        .reference = &large_sum,
        .called = in_units,
        .blocks = {64, 256, 32, 1024},
        .sizes = {20000},
        .limits = {{ATOMICS, AT_MOST, 16, .n = 4096, .block = 256, .also = {4, 4096, 64},
                    .says = "one for each of 16 warps"},
                   {LOADED_FLOATS, AT_MOST, 2 * 4096 + 2, .n = 4096, .block = 256,
                    .also = {8194, 4096, 64},
                    .says = "the integers stay in 32 bits, and each is loaded once"}},
    },
    {
        .file = "3_two_in_a_word",
        .whole = true,
        .reference = &the_sum,
        .most = 100,
        .blocks = {64, 256, 32, 1024},
        .limits = {{LOAD_REQUESTS, AT_MOST, 129 + 65, .n = 4097, .block = 256,
                    .also = {194, 4097, 64},
                    .says = "65 warps with words, each loads once; 129 requests are of pack()"},
                   {LOADED_FLOATS, AT_MOST, 4097 + 2049, .n = 4097, .block = 256,
                    .also = {6146, 4097, 64},
                    .says = "2049 words, each once; 4097 are loaded by pack()"},
                   {ATOMICS, AT_MOST, 72, .n = 4097, .block = 256, .also = {66, 4097, 64},
                    .says = "one for each of 72 warps"}},
        .against = "bfloat16",
    },
    {
        .file = "4_wide_loads",
        .reference = &the_sum,
        .most = 500,
        .blocks = {64, 256, 32, 1024},
        .limits = {{LOAD_REQUESTS, AT_MOST, 129 + 18, .n = 4098, .block = 256,
                    .also = {147, 4098, 64},
                    .says = "511 times 16 bytes are 16 requests of warps, before and after are "
                            "one each; 129 are of make_halves()"},
                   {LOADED_FLOATS, AT_MOST, 4098 + 2049, .n = 4098, .block = 256,
                    .also = {6147, 4098, 64},
                    .says = "each half is loaded once: 2049 words; 4098 are of make_halves()"},
                   {ATOMICS, AT_MOST, 16, .n = 4098, .block = 256, .also = {4, 4098, 64},
                    .says = "one for each of 16 warps"}},
        .against = "half",
    },
    {0},
};
