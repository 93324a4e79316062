/* criteria.c: what the exercises of lesson 00 are judged by (practice/practice.h). */
#include "practice.h"

#include <math.h>

static size_t n_words(size_t n, size_t share)
{
    (void)share;
    return n;
}

static void doubled(const float *in, size_t n, size_t share, float *out)
{
    (void)share;
    for (size_t i = 0; i < n; i++)
        out[i] = 2 * in[i];
}

static const struct reference twice_each = {"each element doubled", n_words, doubled, true};

static size_t one_word(size_t n, size_t share)
{
    (void)n, (void)share;
    return 1;
}

static void any_word(const float *in, size_t n, size_t share, float *out)
{
    (void)in, (void)n, (void)share;
    out[0] = NAN; /* it does not matter */
}

static const struct reference all_read = {"every float is read", one_word, any_word, false};

const struct criteria criteria[] = {
    {
        .file = "1_predict",
        .reference = &twice_each, /* as many words as elements */
        .sizes = {1000},
        .blocks = {128, 256, 512},
        .questions =
            {
                {"element 5 in the end", OUTPUT + 5,
                 .traps = {{LAUNCHES, 2 * 6, .says = "doubled three times is not times 6: 2, 4, 8"},
                           {LAUNCHES, 4,
                            .says = "that is once: but which launches have a block 0?"}}},
                {"element 150 in the end", OUTPUT + 150},
                {"element 700 in the end", OUTPUT + 700},
                {"floats that the launches read", LOADED_FLOATS,
                 .traps =
                     {{LAUNCHES, 1000, .says = "not every launch has a thread for each element"},
                      {LAUNCHES, 1024, .says = "threads, yes; but see what `if (i < n)` does"}}},
            },
    },
    {
        .file = "2_refused",
        .reference = &twice_each,
        .sizes = {1000},
        .blocks = {256, 512, 1024},
        .questions =
            {
                /* a refused launch is not counted: then there are two */
                {"calls that return an error", OUTPUT + 0,
                 .traps = {{LAUNCHES, 1,
                            .says = "cudaGetLastError() forgets what it has reported"}}},
                {"the first that does", OUTPUT + 1,
                 .traps = {{LAUNCHES, 0.5, .says = "it waits for what runs; this never ran"},
                           {LAUNCHES, 1, .says = "nothing was wrong with the copy"}}},
                {"element 0 in the end", OUTPUT + 2,
                 .traps = {{LAUNCHES, 4, .says = "a launch that is refused doubles nothing"},
                           {LAUNCHES, 1, .says = "the third launch was not refused"}}},
            },
    },
    {
        .file = "3_first_program",
        .of_faults = "the kernel's line is right: what does launch() give it, how many bytes of it "
                     "are there, and how many threads?",
        .reference = &twice_each,
        .sizes = {40000},
        .blocks = {32, 256, 1024, 96},
    },
    {
        .file = "4_roof",
        .whole = true,
        .reference = &all_read,
        .all_read = true,
        .blocks = {64, 256, 96, 1024},
        .limits = {{LOADED_FLOATS, AT_MOST, 4096, .n = 4096, .block = 256, .also = {4096, 4096, 64},
                    .says = "each float once is enough"},
                   {STORED_FLOATS, AT_MOST, 0, .n = 4096, .block = 256,
                    .says = "a roof that writes is a roof for copies, and lower"}},
        .against = "read",
    },
    {0},
};
