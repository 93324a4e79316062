/* criteria.c: what the exercises of lesson 03 are judged by (practice/practice.h). */
#include "practice.h"

#include <math.h>

static size_t word_per_share(size_t n, size_t share)
{
    return n == 0 ? 1 : (n - 1) / share + 1;
}

static void nearest_to_zero(const float *in, size_t n, size_t share, float *out)
{
    out[0] = INFINITY;
    for (size_t i = 0; i < n; i++)
        out[i / share] = fminf(i % share == 0 ? INFINITY : out[i / share], fabsf(in[i]));
}

static const struct reference block_least = {"the smallest |x| of each share", word_per_share,
                                             nearest_to_zero, false};

const struct criteria criteria[] = {
    {
        .file = "1_predict",
        .reference = &block_sums,
        .per_thread = 4,
        .overwrites_input = true,
        .sizes = {8192, 16384},
        .blocks = {64, 128, 512},
        .questions =
            {
                {"blocks of the launch", BLOCKS,
                 .traps = {{BLOCKS, 4, .says = "each thread has four elements, not one"}}},
                {"barriers of the launch", BARRIERS,
                 .traps = {{BARRIERS, 1, true, "those are the barriers of one block"}}},
                {"floats that one block loads", LOADED_FLOATS, .per_block = true,
                 .traps = {{LOAD_REQUESTS, 1, true, "those are requests, of up to 32 floats each"},
                           {STORED_FLOATS, 2, true,
                            "those are the array's own; an addition of the tree loads, too"}}},
            },
    },
    {
        .file = "2_last_warp",
        .reference = &block_sums,
        .overwrites_input = true,
        .blocks = {64, 256, 128, 1024},
        .limits = {{BARRIERS, AT_MOST, 2 * 16, .n = 4096, .block = 256, .also = {32, 4096, 128},
                    .says = "two rounds in each of 16 blocks need all warps, six need only one"},
                   {SHARED_FLOATS, AT_MOST, 0, .n = 4096, .block = 256,
                    .says = "shared memory comes in lesson 04"},
                   {SHUFFLES, AT_MOST, 0, .n = 4096, .block = 256,
                    .says = "shuffles come in lesson 05"},
                   {LOADING_THREADS, AT_LEAST, 16 * 64, .n = 4096, .block = 256,
                    .also = {1024, 4096, 128},
                    .says =
                        "every fourth thread of each of 16 blocks at least: all share the work"},
                   {BARRIERS, AT_LEAST, 16, .n = 4096, .block = 256, .also = {32, 4096, 128},
                    .says = "one for each of 16 blocks at least: a warp alone is not all threads "
                            "of the block"},
                   {ATOMICS, AT_MOST, 0, .n = 4096, .block = 256,
                    .says = "in a tree no two threads write to one place: no atomics"}},
        .against = "v4",
    },
    {
        .file = "3_least",
        .reference = &block_least,
        .per_thread = 4,
        .overwrites_input = true,
        .most = 1000,
        .blocks = {64, 256, 32, 1024},
        .limits = {{LOAD_SECTORS, AT_MOST, 1576, .n = 8192, .block = 256, .also = {424, 2048, 64},
                    .says = "v3x4 needs no more: do the lanes of a load touch neighbours?"},
                   {BARRIERS, AT_MOST, 9 * 8, .n = 8192, .block = 256, .also = {56, 2048, 64},
                    .says = "one, and 8 rounds with one each, in each of 8 blocks"},
                   {SHARED_FLOATS, AT_MOST, 0, .n = 8192, .block = 256,
                    .says = "shared memory comes in lesson 04"},
                   {LOADING_THREADS, AT_LEAST, 8 * 64, .n = 8192, .block = 256,
                    .also = {128, 2048, 64},
                    .says = "every fourth thread of each of 8 blocks at least: all share the work"},
                   {BARRIERS, AT_LEAST, 8, .n = 8192, .block = 256, .also = {8, 2048, 64},
                    .says = "one for each of 8 blocks at least: a warp alone is not all threads of "
                            "the block"},
                   {ATOMICS, AT_MOST, 0, .n = 8192, .block = 256,
                    .says = "in a tree no two threads write to one place: no atomics"}},
        .against = "v3x4",
    },
    {
        .file = "4_one_tree",
        .reference = &block_sums,
        .per_thread = 8,
        .overwrites_input = true,
        .blocks = {64, 256, 32, 1024},
        .limits = {{BARRIERS, AT_MOST, 9 * 8, .n = 16384, .block = 256, .also = {56, 4096, 64},
                    .says = "one tree for each of 8 blocks: one barrier before it, 8 in it"},
                   {LOAD_SECTORS, AT_MOST, 2600, .n = 16384, .block = 256, .also = {680, 4096, 64},
                    .says = "v3x8 needs no more: do the lanes of a load touch neighbours?"},
                   {SHARED_FLOATS, AT_MOST, 0, .n = 16384, .block = 256,
                    .says = "shared memory comes in lesson 04"},
                   {SHUFFLES, AT_MOST, 0, .n = 16384, .block = 256,
                    .says = "shuffles come in lesson 05"},
                   {LOADING_THREADS, AT_LEAST, 8 * 64, .n = 16384, .block = 256,
                    .also = {128, 4096, 64},
                    .says = "every fourth thread of each of 8 blocks at least: all share the work"},
                   {BARRIERS, AT_LEAST, 8, .n = 16384, .block = 256, .also = {8, 4096, 64},
                    .says = "one for each of 8 blocks at least: a warp alone is not all threads of "
                            "the block"},
                   {ATOMICS, AT_MOST, 0, .n = 16384, .block = 256,
                    .says = "in a tree no two threads write to one place: no atomics"}},
        .against = "v3x8",
    },
    {0},
};
