/* criteria.c: what the exercises of the topic width are judged by (practice/practice.h). */
#include "practice.h"

static size_t one_for_four(size_t n, size_t share)
{
    (void)share;
    return (n + 3) / 4;
}

static void sum_fours(const float *in, size_t n, size_t share, float *out)
{
    (void)share;
    for (size_t i = 0; i < n; i++)
        out[i / 4] = (i % 4 == 0 ? 0 : out[i / 4]) + in[i];
}

static const struct reference fours = {"the sum of each four", one_for_four, sum_fours, true};

const struct criteria criteria[] = {
    {
        .file = "1_predict",
        .reference = &the_scan, /* as many words as elements: three for each thread */
        .sizes = {768},
        .blocks = {64, 128, 256},
        .questions =
            {
                {"thread 47 gets, from __shfl_sync", OUTPUT + 3 * 47,
                 .traps = {{OUTPUT + 3 * 47 + 1, 1,
                            .says = "it does not keep its own: the lane is taken modulo the width"},
                           {LAUNCHES, 49, .says = "that is in the next part of the warp"}}},
                {"thread 47 gets, from __shfl_down_sync", OUTPUT + 3 * 47 + 1,
                 .traps = {{OUTPUT + 3 * 47, 1, .says = "a shuffle down does not go round"},
                           {LAUNCHES, 49, .says = "that is in the next part of the warp"}}},
                {"thread 47 gets, from __shfl_xor_sync", OUTPUT + 3 * 47 + 2,
                 .traps = {{OUTPUT + 3 * 47 + 1, 1,
                            .says =
                                "an earlier part may be read, a later one not: the page says so"},
                           {LAUNCHES, 64, .says = "a later part is not read: it keeps its own"}}},
            },
    },
    {
        .file = "2_sums_of_four",
        .reference = &fours,
        .per_thread = 4,
        .blocks = {64, 256, 32, 96, 1024},
        .limits = {{SHUFFLES, AT_MOST, 3 * 32, .n = 4096, .block = 256, .also = {96, 4096, 64},
                    .says = "two in the first round and one in the second, for each of 32 warps"},
                   {SHUFFLES, AT_LEAST, 3 * 32, .n = 4096, .block = 256, .also = {96, 4096, 64},
                    .says = "the loads stay as they are: exchange what is in registers"},
                   {STORE_REQUESTS, AT_MOST, 32, .n = 4096, .block = 256, .also = {32, 4096, 64},
                    .says = "each lane has one sum: one request for each of 32 warps stores them"},
                   {SHARED_FLOATS, AT_MOST, 0, .n = 4096, .block = 256,
                    .says = "no shared memory here"},
                   {LOADED_FLOATS, AT_MOST, 4096, .n = 4096, .block = 256, .also = {4096, 4096, 64},
                    .says = "each element is read once, and a lane adds what others have read"}},
    },
    {0},
};
