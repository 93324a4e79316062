/*
 * rows.h: how the kernels of exchange and width share out n floats. A warp takes ROWS rows of 32,
 * and each of its lanes one float of each row: r[k] of lane l is element l of row k. All loads come
 * before the first exchange, so that eight are in flight at once (step 03).
 */
#ifndef ROWS_H
#define ROWS_H

#include "lesson.h"

#define ALL_LANES 0xffffffff

enum { ROWS = 8 };

/* Where in the array r[k] of this lane comes from; n or more for a lane without an element. */
static inline __device__ size_t element(unsigned k)
{
    size_t warp = (size_t)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    return (warp * ROWS + k) * 32 + threadIdx.x % 32;
}

/* No lane leaves: one without an element brings a 0, and the mask of all 32 stays true. */
static inline __device__ void load_rows(float r[ROWS], const float *in, size_t n)
{
#pragma unroll
    for (unsigned k = 0; k < ROWS; k++)
        r[k] = element(k) < n ? in[element(k)] : 0.0f;
}

static inline __device__ void store_rows(float *out, size_t n, const float r[ROWS])
{
#pragma unroll
    for (unsigned k = 0; k < ROWS; k++)
        if (element(k) < n)
            out[element(k)] = r[k];
}

/* Makes something of the rows, for any n. */
typedef void rows_kernel(const float *in, size_t n, float *out);

/* Launches it with so many floats of shared memory for each warp. */
static inline void launch_rows(struct sum *s, rows_kernel *kernel, unsigned warp_floats)
{
    size_t bytes = s->block / 32 * warp_floats * sizeof(float);
    s->grid = blocks_for(s->n, (size_t)s->block * ROWS);
    kernel<<<s->grid, s->block, bytes, s->stream>>>(s->in, s->n, s->out);
    CUDA_CHECK(cudaGetLastError());
}

#endif
