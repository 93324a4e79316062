/* criteria.c: what the exercises of the topic transpose are judged by (practice/practice.h). */
#include "practice.h"

static size_t one_each(size_t n, size_t share)
{
    (void)share;
    return n;
}

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

static const struct reference tiles = {"tiles of 4 x 4, transposed", one_each, transpose_tiles,
                                       true};

const struct criteria criteria[] = {
    {
        .file = "1_four_by_four",
        .reference = &tiles,
        .per_thread = 4,
        .blocks = {64, 256, 32, 96},
        .limits = {{SHUFFLES, AT_MOST, 4 * 32, .n = 4096, .block = 256,
                    .says = "two in each of two rounds, for each of 32 warps: a swap is for two"},
                   {SHARED_FLOATS, AT_MOST, 0, .n = 4096, .block = 256,
                    .says = "the tile stays in registers: no shared memory"},
                   {LOAD_SECTORS, AT_MOST, 512, .n = 4096, .block = 256,
                    .says = "rows of 32 neighbours are loaded: four sectors each"},
                   {STORE_SECTORS, AT_MOST, 512, .n = 4096, .block = 256,
                    .says = "rows of 32 neighbours are stored: four sectors each"}},
    },
    {0},
};
