/* sums.h: how the sums of eight floats are stored, when the first lane of each 8 has theirs. */
#ifndef SUMS_H
#define SUMS_H

#include "toolbox/exchange/rows.h"
#include "width.h"

static inline __device__ void store_sums(float *out, size_t n, const float r[ROWS])
{
#pragma unroll
    for (unsigned k = 0; k < ROWS; k++)
        if (threadIdx.x % WIDTH == 0 && element(k) < n)
            out[element(k) / WIDTH] = r[k];
}

#endif
