/* maximum.h: the operator of maximum.cu. */
#ifndef MAXIMUM_H
#define MAXIMUM_H

#include "library/parts/larger.h"
#include "reduce.h"

struct maximum {
    typedef float state;

    __device__ state none() const
    {
        return -INFINITY;
    }
    __device__ state add(state s, float x, size_t) const
    {
        return is_larger(x, s) ? x : s;
    }
    __device__ state merge(state a, state b) const
    {
        return is_larger(b, a) ? b : a;
    }
    __device__ void answer(state s, float *out) const
    {
        *out = s;
    }
};

#endif
