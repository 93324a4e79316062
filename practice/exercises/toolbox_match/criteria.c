/* criteria.c: what the exercises of the topic match are judged by (practice/practice.h). */
#include "practice.h"

enum { KEYS = 16 };

static size_t one_each_key(size_t n, size_t share)
{
    (void)n, (void)share;
    return KEYS;
}

static void sum_by_key(const float *in, size_t n, size_t share, float *out)
{
    (void)share;
    for (size_t key = 0; key < KEYS; key++)
        out[key] = 0;
    for (size_t i = 0; i < n; i++)
        out[i * i % KEYS] += in[i];
}

static const struct reference by_key = {"the sum of each key", one_each_key, sum_by_key, true};

const struct criteria criteria[] = {
    {
        .file = "1_predict",
        .reference = &the_scan, /* as many words as elements */
        .sizes = {256},
        .blocks = {64, 96, 160, 192},
        .questions =
            {
                {"lanes that have the key of thread 60", OUTPUT + 254,
                 .traps = {{LAUNCHES, 8,
                            .says = "so many threads of the block; a match sees its own warp"}}},
                {"the leader's lane", OUTPUT + 255,
                 .traps = {{LAUNCHES, 28, .says = "that is its own: is it the lowest?"}}},
                {"atomics of the launch", ATOMICS,
                 .traps = {{SHUFFLES, 1, .says = "those are the matches: each has several leaders"},
                           {SHUFFLES, 32, .says = "so many lanes: only leaders add"}}},
            },
    },
    {
        .file = "2_by_key",
        .whole = true,
        .reference = &by_key,
        .blocks = {64, 256, 32, 96, 1024},
        .limits = {{ATOMICS, AT_MOST, 4 * 128, .n = 4096, .block = 256, .also = {512, 4096, 64},
                    .says = "one for each key of a warp: four for each of 128 warps"},
                   {SHARED_FLOATS, AT_MOST, 0, .n = 4096, .block = 256,
                    .says = "no shared memory here"},
                   {LOAD_REQUESTS, AT_MOST, 128, .n = 4096, .block = 256, .also = {128, 4096, 64},
                    .says = "one for each of 128 warps: each lane reads its own element"}},
    },
    {0},
};
