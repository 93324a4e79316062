/* lesson.c: is a compaction right, in whatever order the blocks came? Then the variants. */
#include "compact.h"

#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

size_t compact_words(size_t n, size_t row)
{
    (void)row;
    return n + 1;
}

size_t compact_written(const float *in, size_t n)
{
    size_t kept = 0;
#pragma omp parallel for schedule(static) reduction(+ : kept)
    for (size_t i = 0; i < n; i++)
        kept += in[i] > 0;
    return kept + 1;
}

/* The finaliser of SplitMix64, as in data.c. */
static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* A sum of hashes does not see the order, but it sees an element too many, too few or changed. */
static uint64_t hash_of_kept(const float *x, size_t n, bool all)
{
    uint64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (size_t i = 0; i < n; i++)
        sum += all || x[i] > 0 ? mix(word_at(x, i) + 0x9e3779b97f4a7c15u) : 0;
    return sum;
}

/* How often neighbours a, b stand side by side: in[] counts down, out[] counts up. Of a large array
   only the pairs whose hash has no bit of `skip` are counted, about 2^21. */
struct pairs {
    int32_t *counts;
    size_t mask, skip;
};

static void count_pair(const struct pairs *pairs, uint32_t a, uint32_t b, int32_t step)
{
    uint64_t hash = mix((uint64_t)a << 32 | b);
    if (hash >> 32 & pairs->skip)
        return;
    int32_t *count = &pairs->counts[hash & pairs->mask];
#pragma omp atomic
    *count += step;
}

/* The kept neighbours of one group of the input. */
static void count_group(const struct pairs *pairs, const float *in, size_t begin, size_t end)
{
    size_t before = end;
    for (size_t i = begin; i < end; i++) {
        if (!(in[i] > 0))
            continue;
        if (before < end)
            count_pair(pairs, word_at(in, before), word_at(in, i), -1);
        before = i;
    }
}

/* Every two neighbours of a group must be neighbours in out[] as often: there, the joints of the
   groups come on top, so no count may end below 0. */
static bool in_order(const struct answer *a, size_t kept, size_t group)
{
    struct pairs pairs = {.mask = 1023};
    while (pairs.mask < a->n && pairs.mask < (1 << 22) - 1)
        pairs.mask = 2 * pairs.mask + 1;
    while (pairs.mask < a->n / 2 / (pairs.skip + 1))
        pairs.skip = 2 * pairs.skip + 1;
    pairs.counts = calloc(pairs.mask + 1, sizeof *pairs.counts);
    if (pairs.counts == NULL)
        return false;
    bool ordered = true;
#pragma omp parallel
    {
#pragma omp for schedule(static)
        for (size_t g = 0; g < (a->n + group - 1) / group; g++)
            count_group(&pairs, a->in, g * group,
                        a->n - g * group < group ? a->n : (g + 1) * group);
#pragma omp for schedule(static)
        for (size_t i = 1; i < kept; i++)
            count_pair(&pairs, word_at(a->out, i - 1), word_at(a->out, i), 1);
#pragma omp for schedule(static) reduction(&& : ordered)
        for (size_t k = 0; k <= pairs.mask; k++)
            ordered = ordered && pairs.counts[k] >= 0;
    }
    free(pairs.counts);
    return ordered;
}

static bool untouched(const float *words, size_t begin, size_t end)
{
    size_t touched = 0;
#pragma omp parallel for schedule(static) reduction(+ : touched)
    for (size_t i = begin; i < end; i++)
        touched += !is_poison(words, i);
    return touched == 0;
}

static void refuse(struct verdict *verdict, const char *reason)
{
    verdict->ok = false;
    verdict->rel_err = INFINITY;
    snprintf(verdict->reason, sizeof verdict->reason, "%s", reason);
}

void check_compaction(const struct answer *a, struct verdict *verdict, size_t group)
{
    size_t kept = compact_written(a->in, a->n) - 1;
    if (word_at(a->out, a->n) != (uint32_t)kept)
        expect_word(verdict, a->out, a->n, (uint32_t)kept);
    else if (hash_of_kept(a->out, kept, true) != hash_of_kept(a->in, a->n, false))
        refuse(verdict, "not every kept element is there just once");
    else if (!untouched(a->out, kept, a->n))
        refuse(verdict, "something is written after the kept elements");
    else if (group > 1 && !in_order(a, kept, group))
        refuse(verdict, "neighbours of the input do not stand side by side");
}

extern const struct variant variant_compact, variant_compact_shared, variant_compact_warp_atomic,
    variant_compact_atomic;

static const struct variant *const variants[] = {
    &variant_compact,
    &variant_compact_shared,
    &variant_compact_warp_atomic,
    &variant_compact_atomic,
    NULL,
};

const struct lesson lesson = {
    .name = "compact",
    .idea = "keep what is > 0: each element must learn how many before it stay",
    .in_chinese = "流压缩：整个线程束只做一次原子操作",
    .variants = variants,
};
