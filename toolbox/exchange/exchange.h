/*
 * exchange.h: how exchange.cu, butterfly.cu and width.cu share out n floats. A warp takes ROWS rows
 * of 32, and each of its lanes one float of each row: r[k] of lane l is element l of row k. All
 * loads come before the first exchange, so that eight are on their way at once (step 03).
 */
#ifndef EXCHANGE_H
#define EXCHANGE_H

#include "toolbox.h"

#define ALL_LANES 0xffffffff

enum { ROWS = 8 };

/* Where in the array r[k] of this lane comes from; n or more for a lane without an element. */
static __device__ size_t element(unsigned k)
{
    size_t warp = (size_t)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    return (warp * ROWS + k) * 32 + threadIdx.x % 32;
}

/* No lane leaves: one without an element brings a 0, and the mask of all 32 stays true. */
static __device__ void load_rows(float r[ROWS], const float *in, size_t n)
{
#pragma unroll
    for (unsigned k = 0; k < ROWS; k++)
        r[k] = element(k) < n ? in[element(k)] : 0.0f;
}

static __device__ void store_rows(float *out, size_t n, const float r[ROWS])
{
#pragma unroll
    for (unsigned k = 0; k < ROWS; k++)
        if (element(k) < n)
            out[element(k)] = r[k];
}

template <void (*KERNEL)(const float *in, size_t n, float *out), unsigned WARP_FLOATS>
static void launch_rows(struct sum *s)
{
    size_t bytes = s->block / 32 * WARP_FLOATS * sizeof(float);
    s->grid = blocks_for(s->n, (size_t)s->block * ROWS);
    KERNEL<<<s->grid, s->block, bytes, s->stream>>>(s->in, s->n, s->out);
    CUDA_CHECK(cudaGetLastError());
}

/* A variant whose kernel takes any n, with as many floats of shared memory for each warp. */
#define ROWS_VARIANT(variant, kernel, warp_floats, answers, text)                                  \
    {                                                                                              \
        .name = variant, .what = text, .launch = launch_rows<kernel, warp_floats>,                 \
        .per_thread = ROWS, .block_rule = BLOCK_WHOLE_WARPS, .min_block = 32, .task = &answers     \
    }

/* What a warp's tree makes of the width (32 or 8) floats that begin at in[first], bit for bit:
   neighbours width / 2 apart first. Beyond n there are zeros. */
static inline float row_sum(const float *in, size_t n, size_t first, size_t width)
{
    float v[32];
    for (size_t l = 0; l < width; l++)
        v[l] = first + l < n ? in[first + l] : 0.0f;
    for (size_t m = width / 2; m > 0; m /= 2)
        for (size_t l = 0; l < m; l++)
            v[l] += v[l + m];
    return v[0];
}

/* Each row of width floats moved on by one: the last of a row, also of a short one, takes the
   first. */
static inline void check_rotation(const struct answer *a, struct verdict *verdict, size_t width)
{
    for (size_t i = 0; i < a->n; i++) {
        size_t next = (i + 1) % width == 0 || i + 1 == a->n ? i / width * width : i + 1;
        expect_word(verdict, a->out, i, word_at(a->in, next));
    }
}

#endif
