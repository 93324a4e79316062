/*
 * scan_tile.h: a tile of the array, for scan_array.cu and scan_two_pass.cu: its floats stay in
 * registers from the one time they are read to the one time they are written.
 */
#ifndef SCAN_TILE_H
#define SCAN_TILE_H

#include "scan.h"
#include <stdint.h>

#define ROWS 8

/* Floats of a tile: each warp has ROWS rows of a float4 for each lane. */
#define TILE(threads) ((size_t)(threads)*4 * ROWS)

/* in and out with `begin` places put before them, so that in[0] lies at a multiple of 16 bytes. */
struct array {
    const float *in;
    float *out;
    size_t begin, end; /* the array is in[begin] to in[end - 1] */
    bool aligned;      /* and out[0] lies at such a multiple, too */
};

static inline struct array array_of(const struct sum *s)
{
    size_t begin = (uintptr_t)s->in % 16 / sizeof(float);
    struct array a = {s->in - begin, s->out - begin, begin, begin + s->n, false};
    a.aligned = (uintptr_t)a.out % 16 == 0;
    return a;
}

/* What a thread has of a tile: of row k the four floats v[k], and the sum of all that its warp has
   before them. */
struct tile {
    float4 v[ROWS];
    float before[ROWS];
};

/* The place of v[0].x in a.in[]; v[k] is 128 k further. */
static inline __device__ size_t place_of(size_t number)
{
    unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    return number * TILE(blockDim.x) + warp * (128 * ROWS) + 4 * lane;
}

/* Does the whole tile lie in the array? Only then is it moved 16 bytes at a time. */
static inline __device__ bool is_whole(struct array a, size_t number)
{
    size_t first = number * TILE(blockDim.x);
    return a.aligned && first >= a.begin && first + TILE(blockDim.x) <= a.end;
}

static inline __device__ float element(struct array a, size_t i)
{
    return i >= a.begin && i < a.end ? a.in[i] : 0.0f;
}

/* All loads are asked for before the first is used; the whole tile has a loop of its own for that
   (see library/parts/tile.h). */
static inline __device__ void load_tile(struct tile *t, struct array a, size_t number)
{
    size_t i = place_of(number);
    if (is_whole(a, number)) {
#pragma unroll
        for (int k = 0; k < ROWS; k++)
            t->v[k] = *(const float4 *)(a.in + i + 128 * k);
    } else {
#pragma unroll
        for (int k = 0; k < ROWS; k++, i += 128)
            t->v[k] =
                make_float4(element(a, i), element(a, i + 1), element(a, i + 2), element(a, i + 3));
    }
}

/* Each float4 becomes its own prefix sums, before[] is set, and each lane gets the sum of its
   warp. The scans of the rows do not wait for each other; only the rows' sums form a chain. */
static inline __device__ float scan_tile(struct tile *t)
{
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < ROWS; k++) {
        t->v[k].y += t->v[k].x;
        t->v[k].z += t->v[k].y;
        t->v[k].w += t->v[k].z;
        t->before[k] = warp_scan(t->v[k].w);
    }
#pragma unroll
    for (int k = 0; k < ROWS; k++) {
        float row = __shfl_sync(0xffffffff, t->before[k], 31);
        t->before[k] = sum + from_below(t->before[k]);
        sum += row;
    }
    return sum;
}

/* `before` is the sum of all that comes before this warp. */
static inline __device__ void store_tile(const struct tile *t, struct array a, size_t number,
                                         float before)
{
    size_t i = place_of(number);
    bool whole = is_whole(a, number);
#pragma unroll
    for (int k = 0; k < ROWS; k++, i += 128) {
        float all = before + t->before[k];
        float4 v = make_float4(all + t->v[k].x, all + t->v[k].y, all + t->v[k].z, all + t->v[k].w);
        if (whole) {
            *(float4 *)(a.out + i) = v;
            continue;
        }
        const float x[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
        for (int m = 0; m < 4; m++)
            if (i + m >= a.begin && i + m < a.end)
                a.out[i + m] = x[m];
    }
}

/* From a float to its tile's sum: 3 in a float4, 5 in a warp, ROWS rows, 5 for the warps; from
   there to out[i] at most 3 more. Or, in block_sum(): 2, ROWS, 5 and 5. */
static inline void check_array(const struct answer *a, struct verdict *verdict)
{
    const struct scan_shape shape = {.depth = 3 + 5 + ROWS + 5 + 3, .tile = TILE(a->block)};
    check_scan(a, verdict, &shape);
}

static const struct task scan_array_task = {
    .name = "scan",
    .words = n_words,
    .check = check_array,
};

#endif
