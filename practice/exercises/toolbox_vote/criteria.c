/* criteria.c: what the exercises of the topic vote are judged by (practice/practice.h). */
#include "practice.h"

#include <math.h>

static size_t one_each_row(size_t n, size_t share)
{
    (void)share;
    return (n + 31) / 32;
}

static void first_of_rows(const float *in, size_t n, size_t share, float *out)
{
    for (size_t row = 0; row < one_each_row(n, share); row++) {
        out[row] = 32;
        for (size_t i = 32 * row; i < 32 * row + 32 && i < n; i++)
            if (!(in[i] > 0)) {
                out[row] = (float)(i % 32);
                break;
            }
    }
}

static void largest_of_rows(const float *in, size_t n, size_t share, float *out)
{
    (void)share;
    for (size_t i = 0; i < n; i++) {
        out[i] = -INFINITY;
        for (size_t k = i / 32 * 32; k < i / 32 * 32 + 32 && k < n; k++)
            out[i] = fmaxf(out[i], in[k] / 2);
    }
}

static const struct reference firsts = {.name = "the place of the first that is not positive",
                                        .words = one_each_row,
                                        .answer = first_of_rows};
static const struct reference largest = {
    .name = "the largest half of each row", .words = one_word_each, .answer = largest_of_rows};

/* Short last rows: one in some of them has no float, or only floats, of the kind looked for. */
#define SHORT_ROWS                                                                                 \
    {                                                                                              \
        2, 34, 65, 97, 129, 161, 193, 225                                                          \
    }

const struct criteria criteria[] = {
    {
        .file = "1_first",
        .reference = &firsts,
        .most = 1000,
        .blocks = {64, 256, 32, 96, 1024},
        .sizes = SHORT_ROWS,
        .limits = {{SHUFFLES, AT_MOST, 128, .n = 4096, .block = 256, .also = {128, 4096, 64},
                    .says = "one vote for each of 128 warps: each lane can do the rest for itself"},
                   {SHARED_FLOATS, AT_MOST, 0, .n = 4096, .block = 256,
                    .says = "no shared memory here"},
                   {ATOMICS, AT_MOST, 0, .n = 4096, .block = 256, .says = "no atomics here"},
                   {LOAD_REQUESTS, AT_MOST, 128, .n = 4096, .block = 256, .also = {128, 4096, 64},
                    .says = "one for each of 128 warps: each lane reads its own element"}},
    },
    {
        .file = "2_largest",
        .reference = &largest,
        .most = 1000,
        .blocks = {64, 256, 32, 96, 1024},
        .sizes = SHORT_ROWS,
        .limits = {{SHUFFLES, AT_MOST, 128, .n = 4096, .block = 256, .also = {128, 4096, 64},
                    .says = "one reduction for each of 128 warps does it, in all lanes"},
                   {SHARED_FLOATS, AT_MOST, 0, .n = 4096, .block = 256,
                    .says = "no shared memory here"},
                   {ATOMICS, AT_MOST, 0, .n = 4096, .block = 256, .says = "no atomics here"},
                   {LOADED_FLOATS, AT_MOST, 4096, .n = 4096, .block = 256, .also = {4096, 4096, 64},
                    .says = "each element is read once, by its own lane"}},
    },
    {0},
};
