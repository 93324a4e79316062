/*
 * The width argument of a shuffle: a warp as four warps of 8 lanes. Rotation of rows of 8, where
 * it matters, and the sum of each 8, where it does not.
 *
 * Look at: ./toolbox08 -v 'width*' --counters
 */
#include "exchange.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

enum { WIDTH = 8 };

/* ---- each row of 8 moved on by one: n words ---- */

static __global__ void width_rotate(const float *in, size_t n, float *out)
{
    unsigned lane = threadIdx.x % 32;
    float r[ROWS];
    load_rows(r, in, n);
#pragma unroll
    for (unsigned k = 0; k < ROWS; k++) /* the lane is taken modulo 8, and within the same 8 */
        r[k] = __shfl_sync(ALL_LANES, r[k], element(k) + 1 < n ? lane + 1 : 0, WIDTH);
    store_rows(out, n, r);
}

static __global__ void width_rotate_shared(const float *in, size_t n, float *out)
{
    extern __shared__ float smem[];
    float *mine = smem + threadIdx.x / 32 * (32 * ROWS);
    unsigned lane = threadIdx.x % 32, first = lane / WIDTH * WIDTH;
    float r[ROWS];
    load_rows(r, in, n);
#pragma unroll
    for (unsigned k = 0; k < ROWS; k++)
        mine[32 * k + lane] = r[k];
    __syncwarp();
#pragma unroll
    for (unsigned k = 0; k < ROWS; k++)
        r[k] = mine[32 * k + first + (element(k) + 1 < n ? (lane + 1) % WIDTH : 0)];
    store_rows(out, n, r);
}

static __global__ void width_rotate_groups(const float *in, size_t n, float *out)
{
    cg::thread_block_tile<WIDTH> tile = cg::tiled_partition<WIDTH>(cg::this_thread_block());
    unsigned next = (tile.thread_rank() + 1) % tile.num_threads();
    float r[ROWS];
    load_rows(r, in, n);
#pragma unroll
    for (unsigned k = 0; k < ROWS; k++)
        r[k] = tile.shfl(r[k], element(k) + 1 < n ? next : 0);
    store_rows(out, n, r);
}

/* ---- the sum of each 8: n / 8 words, the last of what is left ---- */

/* The first lane of each 8 has their sum. */
static __device__ void store_sums(float *out, size_t n, const float r[ROWS])
{
#pragma unroll
    for (unsigned k = 0; k < ROWS; k++)
        if (threadIdx.x % WIDTH == 0 && element(k) < n)
            out[element(k) / WIDTH] = r[k];
}

static __global__ void width_sum(const float *in, size_t n, float *out)
{
    float r[ROWS];
    load_rows(r, in, n);
    for (unsigned offset = WIDTH / 2; offset > 0; offset /= 2)
#pragma unroll
        for (unsigned k = 0; k < ROWS; k++)
            r[k] += __shfl_down_sync(ALL_LANES, r[k], offset, WIDTH);
    store_sums(out, n, r);
}

/* The eighth part of 8 rows is 32 sums: each lane adds up one of them, in the same order. The
   exclusive or keeps both ways free of bank conflicts (../transpose/README.md). */
static __global__ void width_sum_shared(const float *in, size_t n, float *out)
{
    extern __shared__ float smem[];
    float *mine = smem + threadIdx.x / 32 * (32 * ROWS);
    unsigned lane = threadIdx.x % 32, row = lane / (32 / WIDTH), first = lane * WIDTH % 32;
    float r[ROWS], v[WIDTH];
    load_rows(r, in, n);
#pragma unroll
    for (unsigned k = 0; k < ROWS; k++)
        mine[32 * k + (lane ^ k)] = r[k];
    __syncwarp();
#pragma unroll
    for (unsigned j = 0; j < WIDTH; j++)
        v[j] = mine[32 * row + ((first + j) ^ row)];
#pragma unroll
    for (unsigned m = WIDTH / 2; m > 0; m /= 2)
#pragma unroll
        for (unsigned j = 0; j < m; j++)
            v[j] += v[j + m];
    size_t sum = (element(0) - lane) / WIDTH + lane; /* the warp's first, and on */
    if (sum * WIDTH < n)
        out[sum] = v[0];
}

static __global__ void width_sum_groups(const float *in, size_t n, float *out)
{
    cg::thread_block_tile<WIDTH> tile = cg::tiled_partition<WIDTH>(cg::this_thread_block());
    float r[ROWS];
    load_rows(r, in, n);
#pragma unroll
    for (unsigned k = 0; k < ROWS; k++)
        r[k] = cg::reduce(tile, r[k], cg::plus<float>());
    store_sums(out, n, r);
}

static size_t eighth_words(size_t n, size_t row)
{
    (void)row;
    return n / WIDTH + (n % WIDTH > 0);
}

static void check_rotate(const struct answer *a, struct verdict *verdict)
{
    check_rotation(a, verdict, WIDTH);
}

static void check_sums(const struct answer *a, struct verdict *verdict)
{
    for (size_t i = 0; i < eighth_words(a->n, 0); i++)
        expect_float(verdict, a->out, i, row_sum(a->in, a->n, i * WIDTH, WIDTH));
}

static const struct task rotated = {.words = n_words, .check = check_rotate};
static const struct task sums = {.words = eighth_words, .check = check_sums};

static const struct variant variants[] = {
    ROWS_VARIANT("width_rotate", width_rotate, 0, rotated, "each row of 8 moved on by one"),
    ROWS_VARIANT("width_rotate_shared", width_rotate_shared, 32 * ROWS, rotated,
                 "through shared memory"),
    ROWS_VARIANT("width_rotate_groups", width_rotate_groups, 0, rotated, "by tiles of 8 lanes"),
    ROWS_VARIANT("width_sum", width_sum, 0, sums, "the sum of each 8, by shuffles"),
    ROWS_VARIANT("width_sum_shared", width_sum_shared, 32 * ROWS, sums,
                 "8 loads from shared memory"),
    ROWS_VARIANT("width_sum_groups", width_sum_groups, 0, sums, "by cg::reduce() of tiles"),
};

const struct topic width_topic = TOPIC(variants);
