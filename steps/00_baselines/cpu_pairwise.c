/*
 * cpu_pairwise: one CPU core, halves of halves.
 *
 * The sum of the first half plus the sum of the second, and so on down to a few elements: a tree,
 * and so an error of some log2(n) roundings. Source: Higham 1993, section 3 (pairwise summation).
 */
#include "lesson.h"

#define LEAF 32 /* below this a plain loop: calls cost more than they gain */

static float pairwise_sum(const float *x, size_t n)
{
    if (n > LEAF) {
        size_t half = n / 2;
        return pairwise_sum(x, half) + pairwise_sum(x + half, n - half);
    }
    float sum = 0.0f;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

static void launch(struct sum *s)
{
    *s->out = pairwise_sum(s->in, s->n);
    /* As many halvings as bring n down to a leaf, and the loop over the leaf. */
    size_t leaf = s->n < LEAF ? s->n : LEAF;
    s->depth = ceil_log2(blocks_for(s->n, LEAF)) + (leaf > 1 ? leaf - 1 : 0);
}

const struct variant variant_cpu_pairwise = {
    .name = "cpu_pairwise",
    .what = "one CPU core, halves of halves",
    .launch = launch,
    .flags = ON_CPU,
};
