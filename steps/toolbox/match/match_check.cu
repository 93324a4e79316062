/* match_check.cu: is a histogram right? Each bin is counted once more. */
#include "match.h"

static size_t bins_words(size_t n, size_t row)
{
    (void)n, (void)row;
    return BINS;
}

static void check_histogram(const struct answer *a, struct verdict *verdict)
{
    uint32_t bins[BINS] = {0};
    for (size_t i = 0; i < a->n; i++)
        bins[bin_of(a->in[i])]++;
    for (size_t i = 0; i < BINS; i++)
        expect_word(verdict, a->out, i, bins[i]);
}

extern const struct task match_task = {
    .name = "match",
    .words = bins_words,
    .check = check_histogram,
    .max_n = UINT32_MAX, /* counted in 32 bits */
};
