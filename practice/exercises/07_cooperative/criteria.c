/* criteria.c: what the exercises of lesson 07 are judged by (practice/practice.h). */
#include "practice.h"

static size_t one_per_element(size_t n, size_t share)
{
    (void)share;
    return n;
}

/* The sum is exact, and so the mean has one rounding, as in a kernel. */
static void subtract_mean(const float *in, size_t n, size_t share, float *out)
{
    float sum = 0;
    (void)share;
    for (size_t i = 0; i < n; i++)
        sum += in[i];
    for (size_t i = 0; i < n; i++)
        out[i] = in[i] - sum / (float)n;
}

static void add_neighbours(const float *in, size_t n, size_t share, float *out)
{
    (void)share;
    for (size_t i = 0; i < n; i++)
        out[i] = in[i];
    for (int round = 0; round < 8; round++) {
        float before = 0;
        for (size_t i = 0; i < n; i++) {
            float here = out[i];
            out[i] = before + here + (i + 1 < n ? out[i + 1] : 0);
            before = here;
        }
    }
}

static const struct reference less_the_mean = {"each element, less the mean", one_per_element,
                                               subtract_mean, false};
static const struct reference eight_rounds = {"eight rounds of sums with neighbours",
                                              one_per_element, add_neighbours, true};

const struct criteria criteria[] = {
    {
        .file = "1_predict",
        .reference = &block_sums, /* more words than are needed */
        .sizes = {5000, 20000},
        .blocks = {96, 192, 32, 768},
        .questions =
            {
                {"blocks that an SM holds, without shared memory", OUTPUT + 0,
                 .traps = {{OUTPUT + 0, 4, .says = "those are all 4 SMs'"},
                           {LAUNCHES, 64, .says = "so many warps; or there are no such places"}}},
                {"blocks that an SM holds, 40 KB each", OUTPUT + 1,
                 .traps = {{OUTPUT + 0, 1, .says = "so many need more than 228 KB"}}},
                {"blocks of the launch", BLOCKS,
                 .traps = {{OUTPUT + 0, 1, .says = "those are one SM's, of four"},
                           {OUTPUT + 0, 4, .says = "so many fit; do the elements need so many?"}}},
            },
    },
    {
        .file = "2_chevrons",
        .reference = &the_sum,
        .blocks = {32, 256, 64, 1024},
        .sizes = {40000},
        .limits = {{BLOCKS, AT_LEAST, 32, .n = 40000, .block = 256,
                    .says = "8 blocks fit on each of 4 SMs, and an SM without a block is idle"},
                   {LAUNCHES, AT_MOST, 1, .n = 40000, .block = 256,
                    .says = "one launch is the idea of this lesson"},
                   {BLOCKS, AT_MOST, 4, .n = 1000, .block = 256,
                    .says = "1000 elements are four blocks of 256; the others would only wait"},
                   {BLOCKS, AT_LEAST, 8, .n = 40000, .block = 1024,
                    .says = "2 blocks of so many threads fit on each of 4 SMs: ask, do not count"},
                   {BLOCKS, AT_LEAST, 128, .n = 40000, .block = 64,
                    .says = "32 blocks of so few threads fit on each of 4 SMs: ask, do not count"},
                   {BLOCKS, AT_LEAST, 64, .n = 40000, .block = 256, .sms = 8,
                    .says = "8 SMs have room for 64 blocks: ask how many SMs there are"},
                   {ATOMICS, AT_MOST, 0, .n = 1000, .block = 256,
                    .says = "each block has a place of its own in partial[]"}},
        .against = "cooperative",
    },
    {
        .file = "3_less_the_mean",
        .reference = &less_the_mean,
        .roundings = 4,
        .scale = 8,
        .most_n = 8192, /* all threads are there at once */
        .blocks = {64, 256, 1024},
        .sizes = {8192},
        .timed = 65536, /* all threads are there at once */
        .limits = {{LAUNCHES, AT_MOST, 1, .n = 4096, .block = 256,
                    .says = "a new launch would have lost what the registers kept"},
                   {LOADED_FLOATS, AT_MOST, 4096 + 16 * 16, .n = 4096, .block = 256,
                    .also = {8192, 4096, 64},
                    .says = "each of 4096 elements once, and 16 partial sums in each of 16 blocks"},
                   {ATOMICS, AT_MOST, 0, .n = 4096, .block = 256,
                    .says = "each block has a place of its own in partial[]"}},
    },
    {
        .file = "4_eight_rounds",
        .reference = &eight_rounds,
        .most_n = 8192, /* all threads are there at once */
        .blocks = {64, 256, 1024},
        .sizes = {8192},
        .timed = 65536, /* all threads are there at once */
        .limits = {{LAUNCHES, AT_MOST, 1, .n = 4096, .block = 256,
                    .says = "a barrier of the grid stands where a launch ended and the next began"},
                   {LOADED_FLOATS, AT_MOST, 8 * (3 * 4096 - 2), .n = 4096, .block = 256,
                    .also = {98288, 4096, 64},
                    .says = "itself and two neighbours for each element, in each round"}},
    },
    {0},
};
