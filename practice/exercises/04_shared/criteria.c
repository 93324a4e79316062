/* criteria.c: what the exercises of lesson 04 are judged by (practice/practice.h). */
#include "practice.h"

static size_t word_per_element(size_t n, size_t share)
{
    (void)share;
    return n;
}

static void without_tile_sum(const float *in, size_t n, size_t share, float *out)
{
    for (size_t begin = 0; begin < n; begin += share) {
        size_t end = n - begin < share ? n : begin + share;
        float sum = 0;
        for (size_t i = begin; i < end; i++)
            sum += in[i];
        for (size_t i = begin; i < end; i++)
            out[i] = in[i] - sum;
    }
}

static const struct reference less_tile = {"each element, less the sum of its tile",
                                           word_per_element, without_tile_sum, true};

static void seven_around(const float *in, size_t n, size_t share, float *out)
{
    (void)share;
    for (size_t i = 0; i < n; i++) {
        out[i] = 0;
        for (size_t k = i < 3 ? 0 : i - 3; k <= i + 3 && k < n; k++)
            out[i] += in[k];
    }
}

static const struct reference moving = {"the sum of the seven around", word_per_element,
                                        seven_around, true};

enum { ROW = 32 };

static size_t word_per_row(size_t n, size_t share)
{
    (void)share;
    return (n + ROW - 1) / ROW;
}

static void sum_rows(const float *in, size_t n, size_t share, float *out)
{
    (void)share;
    for (size_t i = 0; i < n; i++)
        out[i / ROW] = (i % ROW == 0 ? 0 : out[i / ROW]) + in[i];
}

static const struct reference rows = {"the sum of each row of 32", word_per_row, sum_rows, true};

const struct criteria criteria[] = {
    {
        .file = "1_predict",
        .reference = &less_tile, /* as many words as elements */
        .sizes = {8192},
        .blocks = {96, 128, 192, 384, 512},
        .questions =
            {
                {"store wavefronts", SHARED_STORE_WAVEFRONTS,
                 .traps = {{LOAD_REQUESTS, 32,
                            .says = "so many floats: a wavefront has up to 32"}}},
                {"wavefronts of one load request", WORST_CONFLICT,
                 .traps = {{BLOCKS, 32, .says = "32 lanes meet if all words are 32 apart"},
                           {BLOCKS, 12, .says = "which lanes have words a multiple of 32 apart?"},
                           {BLOCKS, 1, .says = "so it would be with an odd stride"}}},
                {"load wavefronts of the block", SHARED_LOAD_WAVEFRONTS,
                 .traps = {{WORST_CONFLICT, 1,
                            .says = "those are one request's: each warp has one"}}},
            },
    },
    {
        .file = "2_used_twice",
        .reference = &less_tile,
        .blocks = {64, 256, 32, 1024},
        .limits = {{BARRIERS, AT_MOST, 10 * 16, .n = 4096, .block = 256, .also = {512, 4096, 64},
                    .says = "10 for each of 16 tiles: one, 8 rounds, and one before the next tile"},
                   {LOADED_FLOATS, AT_MOST, 4096, .n = 4096, .block = 256, .also = {4096, 4096, 64},
                    .says = "each element once is enough"}},
        .against = "v6",
    },
    {
        .file = "3_moving_sum",
        .reference = &moving,
        .blocks = {64, 256, 96, 7, 6, 1024},
        .limits = {{LOADED_FLOATS, AT_MOST, 4096 + 6 * 15, .n = 4096, .block = 256,
                    .also = {4474, 4096, 64},
                    .says = "each element once, and three from either neighbour of a block"},
                   {BARRIERS, AT_MOST, 16, .n = 4096, .block = 256, .also = {64, 4096, 64},
                    .says = "one for each of 16 blocks, when all is loaded"}},
        .against = "v6",
    },
    {
        .file = "4_own_row",
        .reference = &rows,
        .blocks = {64, 32, 96, 7, 256},
        .limits = {{SHARED_LOAD_WAVEFRONTS, AT_MOST, 256, .n = 8192, .block = 64,
                    .also = {256, 8192, 256},
                    .says = "lanes that want different words of one bank wait for each other"},
                   {SHARED_STORE_WAVEFRONTS, AT_MOST, 256, .n = 8192, .block = 64,
                    .also = {256, 8192, 256}, .says = "8192 words, 32 at a time"},
                   {LOAD_SECTORS, AT_MOST, 1024, .n = 8192, .block = 64, .also = {1024, 8192, 256},
                    .says = "8192 floats are 1024 sectors: load them side by side"}},
        .against = "v6",
    },
    {0},
};
