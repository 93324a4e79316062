/*
 * mean_variance.h: the operator of mean_variance.cu and mean_variance_batch.cu. Welford's update
 * (1962) adds an element; Chan, Golub and LeVeque (1979) merge two states.
 */
#ifndef MEAN_VARIANCE_H
#define MEAN_VARIANCE_H

#include "reduce.h"

struct mean_variance {
    struct state {
        size_t count;
        float mean, squares; /* squares: the sum of (x - mean)^2 */
    };

    __device__ state none() const
    {
        return {0, 0.0f, 0.0f};
    }
    __device__ state add(state s, float x, size_t) const
    {
        size_t count = s.count + 1;
        float delta = x - s.mean, mean = s.mean + delta / (float)count;
        return {count, mean, s.squares + delta * (x - mean)};
    }
    __device__ state merge(state a, state b) const
    {
        if (a.count == 0 || b.count == 0)
            return a.count == 0 ? b : a;
        size_t count = a.count + b.count;
        float delta = b.mean - a.mean, share = (float)b.count / (float)count;
        return {count, a.mean + delta * share,
                a.squares + b.squares + delta * delta * (float)a.count * share};
    }
    /* Their sum first, then the squares about their mean: one division in place of one for each. */
    __device__ state of_batch(const float *x) const
    {
        float sum = 0.0f, squares = 0.0f;
#pragma unroll
        for (int k = 0; k < BATCH; k++)
            sum += x[k];
        float mean = sum / BATCH;
#pragma unroll
        for (int k = 0; k < BATCH; k++)
            squares += (x[k] - mean) * (x[k] - mean);
        return {BATCH, mean, squares};
    }
    __device__ void answer(state s, float *out) const
    {
        out[0] = s.count > 0 ? s.mean : NAN;
        out[1] = s.count > 1 ? s.squares / (float)(s.count - 1) : NAN;
    }
};

#endif
