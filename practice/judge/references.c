/* references.c: what is right, in plain C on the host. */
#include "practice.h"

static size_t one(size_t n, size_t share)
{
    (void)n, (void)share;
    return 1;
}

size_t one_word_each(size_t n, size_t share)
{
    (void)share;
    return n;
}

/* At least one block, so that n = 0 has an answer, too. */
static size_t one_per_block(size_t n, size_t share)
{
    return n == 0 ? 1 : (n - 1) / share + 1;
}

static void sum(const float *in, size_t n, size_t share, float *out)
{
    (void)share;
    out[0] = 0;
    for (size_t i = 0; i < n; i++)
        out[0] += in[i];
}

static void sum_blocks(const float *in, size_t n, size_t share, float *out)
{
    out[0] = 0;
    for (size_t i = 0; i < n; i++)
        out[i / share] = (i % share == 0 ? 0 : out[i / share]) + in[i];
}

static void alternate_blocks(const float *in, size_t n, size_t share, float *out)
{
    out[0] = 0;
    for (size_t i = 0; i < n; i++) {
        size_t place = i % share;
        out[i / share] = (place == 0 ? 0 : out[i / share]) + (place % 2 == 0 ? in[i] : -in[i]);
    }
}

/* Warps of whole blocks: element i is with the 32 around it in its block's share. */
static void sum_warps(const float *in, size_t n, size_t share, float *out)
{
    for (size_t i = 0; i < n; i++) {
        size_t block = i / share * share, begin = block + (i - block) / 32 * 32, end = begin + 32;
        end = end < block + share ? end : block + share;
        out[i] = 0;
        for (size_t k = begin; k < end && k < n; k++)
            out[i] += in[k];
    }
}

static void scan(const float *in, size_t n, size_t share, float *out)
{
    (void)share;
    for (size_t i = 0; i < n; i++)
        out[i] = (i == 0 ? 0 : out[i - 1]) + in[i];
}

static void reverse(const float *in, size_t n, size_t share, float *out)
{
    (void)share;
    for (size_t i = 0; i < n; i++)
        out[i] = in[n - 1 - i];
}

const struct reference the_sum = {"the sum", one, sum, true};
const struct reference block_sums = {"the sum of each block", one_per_block, sum_blocks, true};
const struct reference block_alternate = {"the alternating sum of each block", one_per_block,
                                          alternate_blocks, true};
const struct reference warp_sums = {"the sum of the warp, in every lane", one_word_each, sum_warps,
                                    true};
const struct reference the_scan = {"the running sum", one_word_each, scan, true};
const struct reference the_reverse = {"the array from its end", one_word_each, reverse, true};
