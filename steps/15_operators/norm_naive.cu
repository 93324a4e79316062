/*
 * norm_naive: known to be wrong. The root of the sum of squares, as it is written on paper.
 *
 * Why:     from 2^64 on a square is an infinity, though the root of the sum would be a float.
 * Look at: ./step15 -v norm,norm_naive --known-wrong --pattern huge
 */
#include "reduce.h"

struct norm_naive {
    typedef float state;

    __device__ state none() const
    {
        return 0.0f;
    }
    __device__ state add(state s, float x, size_t) const
    {
        return s + x * x;
    }
    __device__ state merge(state a, state b) const
    {
        return a + b;
    }
    __device__ void answer(state s, float *out) const
    {
        *out = sqrtf(s);
    }
};

static void launch(struct sum *s)
{
    launch_reduce(s, norm_naive(), s->n);
}

extern const struct variant variant_norm_naive = {
    .name = "norm_naive",
    .what = "the root of the sum of squares, which may overflow",
    .launch = launch,
    .flags = KNOWN_WRONG,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &norm_task,
};
