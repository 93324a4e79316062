/*
 * scan_shares.h: the kernel of scan_warp*.cu and scan_block*.cu. out[i] is the sum of all that
 * comes before in the same row of 32, or in the same block's share, with in[i] (inclusive) or
 * without it (exclusive). The whole array is scan_array.cu's.
 */
#ifndef SCAN_SHARES_H
#define SCAN_SHARES_H

#include "scan.h"

/* A scan is called by all threads of a block, each with an element of its own. */
typedef float scan_fn(float x);

/* EACH elements a thread, blockDim.x apart: all are loaded before the first scan. No lane leaves
   early: where the array has ended, a zero takes part. */
template <scan_fn *SCAN, int EACH>
static __global__ void scan_shares(const float *in, size_t n, float *out)
{
    size_t first = (size_t)blockIdx.x * blockDim.x * EACH + threadIdx.x;
    float x[EACH];

#pragma unroll
    for (unsigned k = 0; k < EACH; k++)
        x[k] = first + k * blockDim.x < n ? in[first + k * blockDim.x] : 0.0f;
#pragma unroll
    for (unsigned k = 0; k < EACH; k++) {
        x[k] = SCAN(x[k]);
        if (first + k * blockDim.x < n)
            out[first + k * blockDim.x] = x[k];
    }
}

template <scan_fn *SCAN, int EACH> static void launch_shares(struct sum *s)
{
    s->grid = blocks_for(s->n, (size_t)s->block * EACH);
    scan_shares<SCAN, EACH><<<s->grid, s->block, 0, s->stream>>>(s->in, s->n, s->out);
    CUDA_CHECK(cudaGetLastError());
}

#endif
