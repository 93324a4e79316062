/* criteria.c: what the exercises of the topic exchange are judged by (practice/practice.h). */
#include "practice.h"

static void rotate_rows(const float *in, size_t n, size_t share, float *out)
{
    (void)share;
    for (size_t i = 0; i < n; i++)
        out[i] = in[i % 32 == 31 || i + 1 == n ? i / 32 * 32 : i + 1];
}

static const struct reference rows_rotated = {"each row of 32 moved on by one", one_word_each,
                                              rotate_rows, true};

const struct criteria criteria[] = {
    {
        .file = "1_predict",
        .reference = &the_scan, /* as many words as elements: three for each thread */
        .sizes = {768},
        .blocks = {96, 160, 192, 224},
        .questions =
            {
                {"thread 60 gets, from __shfl_sync", OUTPUT + 3 * 60,
                 .traps = {{OUTPUT + 3 * 60 + 1, 1,
                            .says = "it does not keep its own: lane 32 is lane 0 again"}}},
                {"thread 60 gets, from __shfl_down_sync", OUTPUT + 3 * 60 + 1,
                 .traps = {{OUTPUT + 3 * 60, 1, .says = "a shuffle down does not go round"},
                           {LAUNCHES, 0,
                            .says = "no zero: beyond the warp a lane gets a defined value"}}},
                {"thread 60 gets, from __shfl_xor_sync", OUTPUT + 3 * 60 + 2,
                 .traps = {{OUTPUT + 3 * 60, 1,
                            .says = "its bits are flipped, not added: 28 is 11100 in binary"}}},
            },
    },
    {
        .file = "2_rotate",
        .reference = &rows_rotated,
        .most = 1000,
        .blocks = {64, 256, 32, 96, 1024},
        .limits = {{SHUFFLES, AT_MOST, 128, .n = 4096, .block = 256, .also = {128, 4096, 64},
                    .says = "one for each of 128 warps is enough: __shfl_sync goes round"},
                   {SHUFFLES, AT_LEAST, 128, .n = 4096, .block = 256, .also = {128, 4096, 64},
                    .says = "the next float is in a register of another lane: no need to load it"},
                   {SHARED_FLOATS, AT_MOST, 0, .n = 4096, .block = 256,
                    .says = "lanes read each other's registers: no shared memory"},
                   {LOADED_FLOATS, AT_MOST, 4096, .n = 4096, .block = 256, .also = {4096, 4096, 64},
                    .says = "each element is read once; a neighbour has the next one"}},
    },
    {0},
};
