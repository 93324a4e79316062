/* criteria.c: what the exercises of lesson 06 are judged by (practice/practice.h). */
#include "practice.h"

static size_t word_per_element(size_t n, size_t share)
{
    (void)share;
    return n;
}

static void less_all(const float *in, size_t n, size_t share, float *out)
{
    float sum = 0;
    (void)share;
    for (size_t i = 0; i < n; i++)
        sum += in[i];
    for (size_t i = 0; i < n; i++)
        out[i] = (float)n * in[i] - sum;
}

static const struct reference from_mean = {"n times the distance from the mean", word_per_element,
                                           less_all, true};

const struct criteria criteria[] = {
    {
        .file = "1_predict",
        .reference = &from_mean, /* as many words as elements */
        .sizes = {8192, 16384},
        .blocks = {64, 128},
        .questions =
            {
                {"ones lost by one thread", OUTPUT + 0},
                {"ones lost by two passes, 8 blocks", OUTPUT + 1,
                 .traps = {{LAUNCHES, 0,
                            .says = "the same bits in every run are not yet the right ones"},
                           {OUTPUT + 0, 1, .says = "how many ones meet 2^24 one at a time?"}}},
                {"ones lost by two passes, 16 blocks", OUTPUT + 2,
                 .traps = {{OUTPUT + 1, 1,
                            .says = "twice as many threads: how many elements has each?"}}},
            },
    },
    {
        .file = "2_thread_each",
        .reference = &the_sum,
        .sizes = {300000},
        .blocks = {32, 256, 64, 96, 1024},
        .limits = {{LAUNCHES, AT_MOST, 2, .n = 4096, .block = 32, .says = "two are enough"},
                   {ATOMICS, AT_MOST, 0, .n = 4096, .block = 32,
                    .says = "a place for each block needs no atomics"},
                   {BLOCKS, AT_LEAST, 4, .n = 4096, .block = 32,
                    .says = "4 SMs want a block each, at least"}},
        .against = "two_pass",
    },
    {
        .file = "3_off_the_mean",
        .reference = &from_mean,
        .blocks = {64, 256, 32, 96, 1024},
        .limits = {{LAUNCHES, AT_MOST, 2, .n = 16384, .block = 256,
                    .says = "two are enough, if each block adds up the partial sums for itself"},
                   {ATOMICS, AT_MOST, 0, .n = 16384, .block = 256,
                    .says = "a place for each block needs no atomics"},
                   {LOADED_FLOATS, AT_MOST, 2 * 16384 + 16 * 16, .n = 16384, .block = 256,
                    .also = {8448, 4096, 64},
                    .says = "each element twice, and 16 partial sums in each of 16 blocks"},
                   {BLOCKS, AT_LEAST, 4, .n = 16384, .block = 256,
                    .says = "4 SMs want a block each, at least"}},
        .against = "two_pass",
    },
    {
        .file = "4_few_blocks",
        .reference = &the_sum,
        .sizes = {70000},
        .blocks = {64, 256, 32, 96, 1024},
        .limits = {{BARRIERS, AT_MOST, 17, .n = 65536, .block = 256, .also = {17, 16384, 64},
                    .says = "one for each of 16 blocks, and one in the second launch"},
                   {SHUFFLES, AT_MOST, 17 * 45, .n = 65536, .block = 256, .also = {255, 16384, 64},
                    .says = "45 for each of 17 block sums"},
                   {LOAD_SECTORS, AT_MOST, 8192 + 2, .n = 65536, .block = 256,
                    .also = {2050, 16384, 64},
                    .says = "32 bytes each: 8192 for the array, 2 for 16 partial sums"},
                   {LAUNCHES, AT_MOST, 2, .n = 65536, .block = 256, .says = "two are enough"},
                   {ATOMICS, AT_MOST, 0, .n = 65536, .block = 256,
                    .says = "a place for each block needs no atomics"},
                   {BLOCKS, AT_LEAST, 4, .n = 65536, .block = 256,
                    .says = "4 SMs want a block each, at least"}},
        .against = "two_pass",
    },
    {0},
};
