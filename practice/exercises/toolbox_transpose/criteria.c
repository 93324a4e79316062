/* criteria.c: what the exercises of the topic transpose are judged by (practice/practice.h). */
#include "practice.h"

/* A warp has 128 floats, four rows of 32, and in them 8 tiles of 4 x 4. */
static void transpose_tiles(const float *in, size_t n, size_t share, float *out)
{
    (void)share;
    for (size_t i = 0; i < n; i++) {
        size_t row = i / 32 % 4, column = i % 4;
        size_t from = i / 128 * 128 + 32 * column + i % 32 - column + row;
        out[i] = from < n ? in[from] : 0;
    }
}

static const struct reference tiles = {"tiles of 4 x 4, transposed", one_word_each, transpose_tiles,
                                       true};

const struct criteria criteria[] = {
    {
        .file = "1_predict",
        .reference = &tiles, /* as many words as elements */
        .sizes = {32 * 34, 32 * 35, 32 * 36, 32 * 40, 32 * 44},
        .blocks = {32},
        .questions =
            {
                {"wavefronts of one load of a column", WORST_CONFLICT,
                 .traps = {{LAUNCHES, 32,
                            .says = "so many without padding: rows then begin in the same bank"},
                           {LAUNCHES, 1,
                            .says = "not any padding will do: where do lanes 0 and 16 read?"}}},
                {"shared load wavefronts of the launch", SHARED_LOAD_WAVEFRONTS,
                 .traps = {{WORST_CONFLICT, 1, .says = "those are one column's"}}},
                {"shared store wavefronts of the launch", SHARED_STORE_WAVEFRONTS,
                 .traps = {{SHARED_LOAD_WAVEFRONTS, 1,
                            .says = "a row's floats lie side by side, in 32 banks"}}},
            },
    },
    {
        .file = "2_four_by_four",
        .reference = &tiles,
        .per_thread = 4,
        .most = 1000,
        .blocks = {64, 256, 32, 96, 1024},
        .limits = {{SHUFFLES, AT_MOST, 4 * 32, .n = 4096, .block = 256, .also = {128, 4096, 64},
                    .says = "two in each of two rounds, for each of 32 warps: a swap is for two"},
                   {SHARED_FLOATS, AT_MOST, 0, .n = 4096, .block = 256,
                    .says = "the tile stays in registers: no shared memory"},
                   {LOAD_SECTORS, AT_MOST, 512, .n = 4096, .block = 256, .also = {512, 4096, 64},
                    .says = "rows of 32 neighbours are loaded: four sectors each"},
                   {STORE_SECTORS, AT_MOST, 512, .n = 4096, .block = 256, .also = {512, 4096, 64},
                    .says = "rows of 32 neighbours are stored: four sectors each"}},
    },
    {0},
};
