/* criteria.c: what the exercises of the topic softmax are judged by (practice/practice.h). */
#include "practice.h"

#include <math.h>

/* That the elements are in[i] + 124 changes no softmax. in[i] are whole numbers from -8 to 8, so
   powers are at least 2^-16, and up to 256 of them are added up in a float without rounding, in any
   order. The division rounds once. */
static void softmax_of_blocks(const float *in, size_t n, size_t share, float *out)
{
    for (size_t begin = 0; begin < n; begin += share) {
        size_t end = begin + share < n ? begin + share : n;
        float max = -INFINITY, sum = 0;
        for (size_t i = begin; i < end; i++)
            max = fmaxf(max, in[i]);
        for (size_t i = begin; i < end; i++)
            sum += exp2f(in[i] - max);
        for (size_t i = begin; i < end; i++)
            out[i] = exp2f(in[i] - max) / sum;
    }
}

static const struct reference softmax = {
    .name = "the softmax of each block", .words = one_word_each, .answer = softmax_of_blocks};

const struct criteria criteria[] = {
    {
        .file = "1_used_twice",
        .whole = true,
        .reference = &softmax,
        .roundings = 4,
        .shift = 200,
        .blocks = {128, 256, 32, 96},
        .limits = {{BARRIERS, AT_MOST, 2 * 16, .n = 4096, .block = 256, .also = {128, 4096, 64},
                    .says = "two for each of 16 blocks are enough, if no thread writes what others "
                            "still read"},
                   {LOADED_FLOATS, AT_MOST, 4096, .n = 4096, .block = 256, .also = {4096, 4096, 64},
                    .says = "a row is read once, and stays in registers"}},
    },
    {
        .file = "2_one_barrier",
        .whole = true,
        .reference = &softmax,
        .roundings = 4,
        .shift = 200,
        .blocks = {128, 256, 32, 96},
        .limits = {{BARRIERS, AT_MOST, 16, .n = 4096, .block = 256, .also = {64, 4096, 64},
                    .says = "one for each of 16 blocks: maximum and sum can be reported together"},
                   {SHUFFLES, AT_MOST, 20 * 128, .n = 4096, .block = 256, .also = {2560, 4096, 64},
                    .says = "four butterflies for each of 128 warps were enough so far"},
                   {LOADED_FLOATS, AT_MOST, 4096, .n = 4096, .block = 256, .also = {4096, 4096, 64},
                    .says = "a row is read once, and stays in registers"}},
    },
    {0},
};
