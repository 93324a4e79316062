/* criteria.c: what the exercises of the topic masks are judged by (practice/practice.h). */
#include "practice.h"

#include <math.h>

static size_t two_each_row(size_t n, size_t share)
{
    (void)share;
    return 2 * ((n + 31) / 32);
}

static void sum_and_largest(const float *in, size_t n, size_t share, float *out)
{
    (void)share;
    for (size_t w = 0; w < two_each_row(n, share); w++)
        out[w] = w % 2 == 0 ? 0 : -INFINITY;
    for (size_t i = 0; i < n; i++) {
        float *word = &out[i / 16];
        *word = i / 16 % 2 == 0 ? *word + in[i] : fmaxf(*word, in[i]);
    }
}

static const struct reference halves = {
    .name = "a sum and a largest of each row", .words = two_each_row, .answer = sum_and_largest};

const struct criteria criteria[] = {
    {
        .file = "1_the_last_round",
        .reference = &the_sum,
        .blocks = {64, 256, 32, 96, 1024},
        .limits = {{SHUFFLES, AT_MOST, 5 * 32, .n = 4096, .block = 256, .also = {40, 4096, 64},
                    .says = "right, but a tree in each round: one for each of 32 warps is enough"},
                   {ATOMICS, AT_MOST, 32, .n = 4096, .block = 256, .also = {8, 4096, 64},
                    .says = "one for each of 32 warps"},
                   {SHARED_FLOATS, AT_MOST, 0, .n = 4096, .block = 256,
                    .says = "no shared memory here"},
                   {BLOCKS, AT_LEAST, 4, .n = 4096, .block = 256,
                    .says = "four blocks go over the array"}},
    },
    {
        .file = "2_who_is_here",
        .reference = &the_sum,
        .blocks = {64, 256, 32, 96, 1024},
        .limits = {{ATOMICS, AT_MOST, 32, .n = 1000, .block = 64, .also = {32, 1000, 256},
                    .says = "one for each of 32 warps is enough"},
                   {SHARED_FLOATS, AT_MOST, 0, .n = 1000, .block = 64,
                    .says = "no shared memory here"},
                   {LOADED_FLOATS, AT_MOST, 1000, .n = 1000, .block = 64, .also = {1000, 1000, 256},
                    .says = "each element is read once"},
                   {LOADING_THREADS, AT_LEAST, 1000, .n = 1000, .block = 64,
                    .also = {1000, 1000, 256}, .says = "each lane reads its own element"}},
    },
    {
        .file = "3_one_for_both",
        .reference = &halves,
        .most = 1000,
        .blocks = {64, 256, 32, 96, 1024},
        .limits = {{SHUFFLES, AT_MOST, 4 * 128, .n = 4096, .block = 256, .also = {512, 4096, 64},
                    .says = "four for each of 128 warps: both halves can come to the same shuffle"},
                   {SHARED_FLOATS, AT_MOST, 0, .n = 4096, .block = 256,
                    .says = "no shared memory here"},
                   {LOAD_SECTORS, AT_MOST, 512, .n = 4096, .block = 256, .also = {512, 4096, 64},
                    .says = "four for each of 128 rows: each lane reads its own element"}},
    },
    {0},
};
