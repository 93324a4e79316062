/*
 * norm: the root of the sum of squares, for any floats.
 *
 * New:     against log_sum_exp.cu: the same state, {largest, sum of (x / largest)^2}, and the same
 *          scaling when a larger one comes.
 * Why:     2^64 squared is no float any more, and 2^-75 squared is 0 (norm_naive.cu).
 * Look at: ./step15 -v norm,norm_naive --known-wrong --pattern huge
 */
#include "reduce.h"

struct scaled_norm {
    struct state {
        float largest, sum; /* of |x|; the sum of (x / largest)^2 */
    };

    /* (x / largest)^2. Equal ones: infinities, or zeros, have no quotient. */
    static __device__ float term(float x, float largest)
    {
        float quotient = x == largest ? 1.0f : x / largest;
        return quotient * quotient;
    }
    __device__ state none() const
    {
        return {0.0f, 0.0f};
    }
    __device__ state add(state s, float x, size_t) const
    {
        float size = fabsf(x);
        if (size > s.largest)
            return {size, s.sum * term(s.largest, size) + 1.0f};
        return {s.largest, s.sum + term(size, s.largest)};
    }
    __device__ state merge(state a, state b) const
    {
        float largest = a.largest > b.largest ? a.largest : b.largest;
        return {largest, a.sum * term(a.largest, largest) + b.sum * term(b.largest, largest)};
    }
    __device__ void answer(state s, float *out) const
    {
        *out = s.largest * sqrtf(s.sum);
    }
};

static void launch(struct sum *s)
{
    launch_reduce(s, scaled_norm(), s->n);
}

extern const struct variant variant_norm = {
    .name = "norm",
    .what = "the root of the sum of squares; no square overflows",
    .launch = launch,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &norm_task,
};
