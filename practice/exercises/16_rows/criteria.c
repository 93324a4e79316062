/* criteria.c: what the exercises of lesson 16 are judged by (practice/practice.h). */
#include "practice.h"

#include <math.h>

enum { COLUMNS = 8, WIDE = 32, FEW = 4 };

/* A word at least: of no rows it does not matter. */
static size_t a_word_a_row(size_t n, size_t share)
{
    (void)share;
    return n >= COLUMNS ? n / COLUMNS : 1;
}

static void sums_of_rows(const float *in, size_t n, size_t share, float *out)
{
    (void)share;
    out[0] = NAN;
    for (size_t r = 0; r < n / COLUMNS; r++) {
        out[r] = 0;
        for (size_t i = 0; i < COLUMNS; i++)
            out[r] += in[r * COLUMNS + i];
    }
}

static void weighed_sums(const float *in, size_t n, size_t share, float *out)
{
    (void)share;
    out[0] = NAN;
    for (size_t r = 0; r < n / COLUMNS; r++) {
        out[r] = 0;
        for (size_t i = 0; i < COLUMNS - 1; i++)
            out[r] += in[r * COLUMNS + i] * in[r * COLUMNS + COLUMNS - 1];
    }
}

static size_t a_word_a_column(size_t n, size_t share)
{
    (void)n, (void)share;
    return WIDE;
}

static void sums_of_columns(const float *in, size_t n, size_t share, float *out)
{
    (void)share;
    for (size_t c = 0; c < WIDE; c++) {
        out[c] = 0;
        for (size_t i = c; i < n; i += WIDE)
            out[c] += in[i];
    }
}

static size_t four(size_t n, size_t share)
{
    (void)n, (void)share;
    return FEW;
}

static void sums_of_four(const float *in, size_t n, size_t share, float *out)
{
    (void)share;
    for (size_t r = 0; r < FEW; r++) {
        out[r] = 0;
        for (size_t i = 0; i < n / FEW; i++)
            out[r] += in[r * (n / FEW) + i];
    }
}

/* Row r begins at r * r. */
static size_t a_word_a_square(size_t n, size_t share)
{
    size_t r = 0;
    (void)share;
    while (r * r < n)
        r++;
    return r > 0 ? r : 1;
}

static void sums_of_ragged(const float *in, size_t n, size_t share, float *out)
{
    (void)share;
    out[0] = NAN;
    for (size_t r = 0; r * r < n; r++) {
        out[r] = 0;
        for (size_t i = r * r; i < (r + 1) * (r + 1) && i < n; i++)
            out[r] += in[i];
    }
}

static const struct reference rows = {"the sum of each row", a_word_a_row, sums_of_rows, false};
static const struct reference weighed = {"the weight of each row times its sum", a_word_a_row,
                                         weighed_sums, false};
static const struct reference columns = {"the sum of each column", a_word_a_column, sums_of_columns,
                                         false};
static const struct reference few_rows = {"the sums of four rows", four, sums_of_four, false};
static const struct reference ragged = {"the sum of each ragged row", a_word_a_square,
                                        sums_of_ragged, false};

const struct criteria criteria[] = {
    {
        .file = "1_predict",
        .reference = &rows,
        .sizes = {4096, 8192, 16384, 32768},
        .blocks = {64, 128, 256},
        .questions =
            {
                {"sectors of loads", LOAD_SECTORS,
                 .traps = {{LOAD_SECTORS, 0.125,
                            .says = "each sector is touched by 8 requests, one for each float"},
                           {LOAD_REQUESTS, 1,
                            .says = "so many requests, and each touches a sector of 32 rows"}}},
                {"sectors of stores", STORE_SECTORS,
                 .traps = {{STORE_SECTORS, 8,
                            .says = "the answers of 8 neighbouring lanes share a sector"}}},
                {"floats of the busiest thread", BUSIEST_LOADS,
                 .traps = {{LAUNCHES, 8, .says = "that is one row, and a thread has several"}}},
            },
    },
    {
        .file = "2_lanes",
        .reference = &rows,
        .blocks = {64, 256, 32, 96},
        .unit = COLUMNS,
        .limits = {{SHUFFLES, AT_MOST, 3 * 128, .n = 4096, .block = 256,
                    .says = "three rounds for each of 128 warps, four rows in each"},
                   {LOAD_REQUESTS, AT_MOST, 128, .n = 4096, .block = 256,
                    .says = "a request for each of 128 warps reads four rows"},
                   {LOAD_SECTORS, AT_MOST, 512, .n = 4096, .block = 256,
                    .says = "four for each of 128 warps: lanes read side by side"}},
    },
    {
        .file = "3_weight",
        .reference = &weighed,
        .blocks = {64, 256, 32, 96},
        .unit = COLUMNS,
        .limits = {{SHUFFLES, AT_MOST, 4 * 128, .n = 4096, .block = 256,
                    .says = "the weight, and three rounds, for each of 128 warps"},
                   {LOADED_FLOATS, AT_MOST, 4096, .n = 4096, .block = 256,
                    .says = "each float is read once"}},
    },
    {
        .file = "4_columns",
        .reference = &columns,
        .blocks = {64, 256, 32, 96},
        .unit = WIDE,
        .limits = {{LOAD_SECTORS, AT_MOST, 512, .n = 4096, .block = 256,
                    .says = "four for each of 128 rows"},
                   {SHUFFLES, AT_MOST, 0, .n = 4096, .block = 256,
                    .says = "lanes of a warp have different columns"},
                   {GLOBAL_ATOMICS, AT_MOST, 0, .n = 4096, .block = 256,
                    .says = "the warps of one block meet in shared memory"},
                   {LOADING_THREADS, AT_LEAST, 256, .n = 4096, .block = 256,
                    .says = "8 warps of 32 lanes: each has rows"}},
    },
    {
        .file = "5_few_rows",
        .reference = &few_rows,
        .blocks = {64, 256, 32, 96},
        .unit = FEW,
        .limits = {{BLOCKS, AT_LEAST, 16, .n = 16384, .block = 256,
                    .says = "four blocks for each of four rows"},
                   {LAUNCHES, AT_MOST, 1, .n = 16384, .block = 256,
                    .says = "one is enough: the last block of a row adds up its slots"},
                   {GLOBAL_ATOMICS, AT_MOST, 16, .n = 16384, .block = 256,
                    .says = "one ticket for each of 16 blocks; sums go through slots"},
                   {LOADING_THREADS, AT_LEAST, 2048, .n = 16384, .block = 256,
                    .says = "16 blocks of 256 threads share the rows"},
                   {STORED_FLOATS, AT_LEAST, 8, .n = 16384, .block = 256,
                    .says = "each block leaves its part in a slot"}},
    },
    {
        .file = "6_ragged",
        .whole = true,
        .reference = &ragged,
        .blocks = {64, 256, 32, 96},
        .limits = {{BUSIEST_LOADS, AT_MOST, 8, .n = 16384, .block = 256,
                    .says = "every thread has 8 floats, wherever rows begin"},
                   {LAUNCHES, AT_MOST, 1, .n = 16384, .block = 256,
                    .says = "one is enough: out[] is zero before"},
                   {ATOMICS, AT_MOST, 2144, .n = 16384, .block = 256,
                    .says =
                        "one for each of 2048 threads, and one where a row ends before it does"}},
    },
    {0},
};
