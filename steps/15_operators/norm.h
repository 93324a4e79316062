/* norm.h: the operator of norm.cu. */
#ifndef NORM_H
#define NORM_H

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

#endif
