/* argmax_packed.h: the operator of argmax_packed.cu. */
#ifndef ARGMAX_PACKED_H
#define ARGMAX_PACKED_H

#include "reduce.h"

/* A whole number that compares as x does as a float: the bits of a positive float with the sign bit
   set, those of a negative one inverted. -0 becomes 0, and any NaN the largest. */
static inline __device__ unsigned ordered(float x)
{
    unsigned bits = __float_as_uint(x + 0.0f);
    return x != x ? 0xffffffff : bits >> 31 ? ~bits : bits | 0x80000000;
}

struct argmax_packed {
    typedef word state; /* the element's bits, ordered; below, its number, inverted */

    __device__ state none() const
    {
        return (word)ordered(-INFINITY) << 32; /* with a number that no element has */
    }
    __device__ state add(state s, float x, size_t i) const
    {
        return merge(s, (word)ordered(x) << 32 | ~(unsigned)i);
    }
    __device__ state merge(state a, state b) const
    {
        return a > b ? a : b;
    }
    __device__ void answer(state s, float *out) const
    {
        unsigned bits = (unsigned)(s >> 32);
        size_t number = (unsigned)s == 0 ? NO_NUMBER : ~(unsigned)s;
        out[0] = __uint_as_float(bits >> 31 ? bits & 0x7fffffff : ~bits);
        memcpy(out + 1, &number, sizeof number);
    }
};

#endif
