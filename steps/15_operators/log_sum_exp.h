/* log_sum_exp.h: the operator of the three variants whose names begin so. */
#ifndef LOG_SUM_EXP_H
#define LOG_SUM_EXP_H

#include "reduce.h"

struct log_sum_exp {
    struct state {
        float largest, sum; /* the sum of e^(x - largest) */
    };

    /* e^(x - largest). Equal infinities: their difference would be a NaN. */
    static __device__ float term(float x, float largest)
    {
        return x == largest ? 1.0f : expf(x - largest);
    }
    __device__ state none() const
    {
        return {-INFINITY, 0.0f};
    }
    __device__ state add(state s, float x, size_t) const
    {
        if (x > s.largest)
            return {x, s.sum * term(s.largest, x) + 1.0f};
        return {s.largest, s.sum + term(x, s.largest)};
    }
    __device__ state merge(state a, state b) const
    {
        float largest = a.largest > b.largest ? a.largest : b.largest;
        return {largest, a.sum * term(a.largest, largest) + b.sum * term(b.largest, largest)};
    }
    /* Their largest first: then no sum is scaled before all have been added. */
    __device__ state of_batch(const float *x) const
    {
        state s = none();
#pragma unroll
        for (int k = 0; k < BATCH; k++)
            s.largest = x[k] > s.largest ? x[k] : s.largest;
#pragma unroll
        for (int k = 0; k < BATCH; k++)
            s.sum += term(x[k], s.largest);
        return s;
    }
    __device__ void answer(state s, float *out) const
    {
        *out = s.largest + logf(s.sum);
    }
};

#endif
