/* larger.h: what is larger, for maximum.cu and argmax.cu. */
#ifndef LARGER_H
#define LARGER_H

/* Whether a counts as larger than b: a NaN does, than every number. */
static inline __device__ bool is_larger(float a, float b)
{
    return a > b || (a != a && b == b);
}

#endif
