/* criteria.c: what the exercises of lesson 14 are judged by (practice/practice.h). */
#include "practice.h"

static size_t five(size_t n, size_t gpus)
{
    (void)n, (void)gpus;
    return 5;
}

static size_t four(size_t n, size_t gpus)
{
    (void)n, (void)gpus;
    return 4;
}

/* SUMS of the exercise: sum k is that of (k + 1) in[i]. */
static void answer_sums(const float *in, size_t n, size_t gpus, float *out)
{
    (void)gpus;
    for (int k = 0; k < 4; k++) {
        out[k] = 0;
        for (size_t i = 0; i < n; i++)
            out[k] += (float)(k + 1) * in[i];
    }
}

static size_t two(size_t n, size_t gpus)
{
    (void)n, (void)gpus;
    return 2;
}

static void answer_both(const float *in, size_t n, size_t gpus, float *out)
{
    (void)gpus;
    double tenths = 0;
    out[0] = 0;
    for (size_t i = 0; i < n; i++)
        out[0] += in[i], tenths += (double)(in[i] / 10);
    out[1] = (float)tenths; /* about: any bits, as long as all GPUs have them */
}

static const char *const both[] = {"the sum", "the sum of tenths"};

/* GPU g has in[], times g + 1. */
static void add_vectors(const float *in, size_t n, size_t gpus, float *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = in[i] * (float)(gpus * (gpus + 1) / 2);
}

static const struct reference numbers = {"some numbers", five, NULL, false}; /* for a quiz */
static const struct reference sums = {"four sums, right after each other", four, answer_sums, true};
static const struct reference same_bits = {"the sum, and the bits of another", two, answer_both,
                                           false};
static const struct reference sum_of_vectors = {"the sum of the vectors", one_word_each,
                                                add_vectors, true};

const struct criteria criteria[] = {
    {
        .file = "1_predict",
        .reference = &numbers,
        .sizes = {1003, 1003, 1006},
        .blocks = {64},
        .gpus = {3, 4, 8},
        .questions =
            {
                {"floats of GPU 2", OUTPUT + 1,
                 .traps = {{OUTPUT + 3, 1, .says = "what is left is divided, too"}}},
                {"bytes stored into other GPUs' memory", PEER_STORED_BYTES,
                 .traps = {{LAUNCHES, 8, .says = "each GPU stores into every other's memory"},
                           {PEER_STORED_BYTES, 0.5, .says = "a slot has the epoch in it, too"},
                           {PEER_STORED_BYTES, 0.125, .says = "those are words, of 8 bytes each"}}},
                {"thousand floats", OUTPUT + 2,
                 .traps = {{OUTPUT + 4, 1,
                            .says = "one GPU reads so many in 1050 ns, but several GPUs have to "
                                    "read their shares, too"}}},
            },
    },
    {
        .file = "2_edge",
        .reference = &the_sum,
        .blocks = {64, 256, 32, 1024},
        .gpus = {3, 8, 2, 1},
        .limits = {{LAUNCHES, AT_MOST, 3, .n = 1000, .block = 64, .gpus = 3,
                    .says = "one for each GPU"},
                   {PEER_STORED_BYTES, AT_MOST, 16, .n = 1000, .block = 64, .gpus = 3,
                    .says = "two sums into GPU 0's memory, and the total to two that have not "
                            "drawn the last number"},
                   {PEER_LOADED_BYTES, AT_MOST, 12, .n = 1000, .block = 64, .gpus = 3,
                    .says = "three sums in GPU 0's memory: each GPU reads its own elements"}},
    },
    {
        .file = "3_too_quick",
        .reference = &sums,
        .blocks = {64, 256, 32, 1024},
        .gpus = {3, 8, 2, 1},
        .limits = {{LAUNCHES, AT_MOST, 12, .n = 1000, .block = 64, .gpus = 3,
                    .says = "one for each GPU and sum"},
                   {PEER_STORED_BYTES, AT_MOST, 4 * 6 * 8, .n = 1000, .block = 64, .gpus = 3,
                    .says = "a word of 8 bytes for each sum and pair is enough: no GPU has to "
                            "answer"}},
    },
    {
        .file = "4_same_bits",
        .reference = &same_bits,
        .called = both,
        .roundings = 64,
        .scale = 1024,
        .blocks = {64, 256, 32, 1024},
        .gpus = {3, 8, 2, 1},
        .limits = {{LAUNCHES, AT_MOST, 6, .n = 1000, .block = 64, .gpus = 3,
                    .says = "one for each GPU and sum"},
                   {PEER_STORED_BYTES, AT_MOST, 2 * 6 * 8, .n = 1000, .block = 64, .gpus = 3,
                    .says = "every GPU has all sums already: no more has to travel"}},
    },
    {
        .file = "5_ring",
        .reference = &the_sum,
        .blocks = {64, 256, 32, 1024},
        .gpus = {3, 8, 2, 1},
        .limits = {{PEER_STORED_BYTES, AT_MOST, 2 * 7 * 8, .n = 1000, .block = 64, .gpus = 8,
                    .says = "2 (8 - 1) words of 8 bytes: in the second lap the total goes to "
                            "those that do not have it"},
                   {PEER_LOADED_BYTES, AT_MOST, 0, .n = 1000, .block = 64, .gpus = 8,
                    .says = "a GPU waits in its own memory, and looks into no other"},
                   {LAUNCHES, AT_MOST, 8, .n = 1000, .block = 64, .gpus = 8,
                    .says = "one for each GPU"}},
    },
    {
        .file = "6_pieces",
        .reference = &sum_of_vectors,
        .blocks = {64, 256, 32, 1024},
        .gpus = {3, 8, 2, 1},
        .vectors = true,
        .limits = {{PEER_STORED_BYTES, AT_MOST, 2 * 7 * 4 * 1024, .n = 1024, .block = 64, .gpus = 8,
                    .says = "each float of a vector goes to the GPU whose piece it is in, and what "
                            "that has added goes to all"},
                   {BUSIEST_PEER_BYTES, AT_MOST, 2 * 7 * 4 * 128, .n = 1024, .block = 64, .gpus = 8,
                    .says = "each of 8 GPUs stores 7/8 of its vector, and its piece of the sum "
                            "into 7 others"},
                   {PEER_LOADED_BYTES, AT_MOST, 0, .n = 1024, .block = 64, .gpus = 8,
                    .says = "a load travels there and back, a store one way"},
                   {LAUNCHES, AT_MOST, 16, .n = 1024, .block = 64, .gpus = 8,
                    .says = "two for each GPU"}},
    },
    {0},
};
