/* argmax.h: the operator of argmax.cu. */
#ifndef ARGMAX_H
#define ARGMAX_H

#include "library/parts/larger.h"
#include "reduce.h"

struct argmax {
    struct state {
        float value;
        size_t number;
    };

    __device__ state none() const
    {
        return {-INFINITY, NO_NUMBER};
    }
    __device__ state add(state s, float x, size_t i) const
    {
        return merge(s, {x, i});
    }
    __device__ state merge(state a, state b) const
    {
        bool first = !is_larger(a.value, b.value) && b.number < a.number;
        return is_larger(b.value, a.value) || first ? b : a;
    }
    __device__ void answer(state s, float *out) const
    {
        out[0] = s.value;
        memcpy(out + 1, &s.number, sizeof s.number);
    }
};

#endif
