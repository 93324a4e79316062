/* criteria.c: what the exercises of the topic compact are judged by (practice/practice.h). */
#include "practice.h"

#include <math.h>

static size_t one_each_and_one(size_t n, size_t share)
{
    (void)share;
    return n + 1;
}

static void keep_positive(const float *in, size_t n, size_t share, float *out)
{
    for (size_t begin = 0; begin < n; begin += share) {
        size_t kept = begin;
        for (size_t i = begin; i < n && i < begin + share; i++) {
            out[i] = NAN; /* what comes after does not matter; kept <= i */
            if (in[i] > 0)
                out[kept++] = in[i];
        }
    }
}

static const struct reference kept_and_number = {.name = "what is kept, and how many",
                                                 .words = one_each_and_one};
static const struct reference packed = {
    .name = "what each block keeps, packed", .words = one_word_each, .answer = keep_positive};

const struct criteria criteria[] = {
    {
        .file = "1_predict",
        .reference = &kept_and_number,
        .sizes = {960, 1920, 3840},
        .blocks = {64, 96, 160, 192},
        .questions =
            {
                {"elements that are kept", STORED_FLOATS},
                {"atomics of the launch", ATOMICS,
                 .traps = {{STORED_FLOATS, 1,
                            .says = "some warps keep more than one, and one lane adds for all"},
                           {BLOCKS, 1, .says = "those would be one for each block"},
                           {LOADED_FLOATS, 1.0 / 32,
                            .says = "a warp that keeps nothing adds nothing"}}},
                {"votes and shuffles of the launch", SHUFFLES,
                 .traps = {{ATOMICS, 2, .says = "all warps vote, also those that keep nothing"},
                           {ATOMICS, 1, .says = "those are the shuffles; and the votes?"}}},
            },
    },
    {
        .file = "2_in_order",
        .reference = &packed,
        .most = 1000,
        .blocks = {64, 256, 32, 96, 1024},
        .limits = {{BARRIERS, AT_MOST, 16, .n = 4096, .block = 256, .also = {64, 4096, 64},
                    .says = "one for each of 16 blocks, between the warps' counts and their use"},
                   {ATOMICS, AT_MOST, 0, .n = 4096, .block = 256,
                    .says = "which thread comes first to an atomic is open, and so is the order"},
                   {LOADED_FLOATS, AT_MOST, 4096, .n = 4096, .block = 256, .also = {4096, 4096, 64},
                    .says = "each element is read once, by its own thread"},
                   {STORE_REQUESTS, AT_MOST, 128, .n = 4096, .block = 256, .also = {128, 4096, 64},
                    .says = "one for each of 128 warps: each thread stores its own"}},
    },
    {0},
};
