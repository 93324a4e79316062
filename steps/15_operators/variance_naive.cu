/*
 * variance_naive: known to be wrong. Mean and variance from the sums of x and of x^2.
 *
 * Why:     "E[x^2] - E[x]^2" is right on paper. In floats both are near the square of the mean, and
 *          their difference is what their rounding errors left.
 * Look at: ./step15 -v mean_variance,variance_naive --known-wrong --pattern far: numbers around
 *          10,000 whose variance is 1/3
 */
#include "reduce.h"

struct variance_naive {
    struct state {
        float sum, squares;
    };
    size_t n;

    __device__ state none() const
    {
        return {0.0f, 0.0f};
    }
    __device__ state add(state s, float x, size_t) const
    {
        return {s.sum + x, s.squares + x * x};
    }
    __device__ state merge(state a, state b) const
    {
        return {a.sum + b.sum, a.squares + b.squares};
    }
    __device__ void answer(state s, float *out) const
    {
        float mean = s.sum / (float)n;
        out[0] = mean;
        out[1] = (s.squares - s.sum * mean) / (float)(n - 1);
    }
};

static void launch(struct sum *s)
{
    launch_reduce(s, variance_naive{s->n}, s->n);
}

extern const struct variant variant_variance_naive = {
    .name = "variance_naive",
    .what = "the sum of squares less the square of the sum",
    .launch = launch,
    .flags = KNOWN_WRONG,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &mean_variance_task,
};
