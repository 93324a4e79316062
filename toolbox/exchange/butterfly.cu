/*
 * The butterfly: in five rounds the lanes l and l ^ m swap, and every lane has the sum of its row
 * of 32. By shuffles, through shared memory, and in cooperative groups.
 *
 * Look at: ./toolbox08 -v 'butterfly*' --counters
 */
#include "exchange.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

static __global__ void butterfly(const float *in, size_t n, float *out)
{
    float r[ROWS];
    load_rows(r, in, n);
    for (unsigned m = 16; m > 0; m /= 2)
#pragma unroll
        for (unsigned k = 0; k < ROWS; k++)
            r[k] += __shfl_xor_sync(ALL_LANES, r[k], m);
    store_rows(out, n, r);
}

static __global__ void butterfly_shared(const float *in, size_t n, float *out)
{
    extern __shared__ float smem[];
    float *mine = smem + threadIdx.x / 32 * (32 * ROWS);
    unsigned lane = threadIdx.x % 32;
    float r[ROWS];
    load_rows(r, in, n);
    for (unsigned m = 16; m > 0; m /= 2) {
#pragma unroll
        for (unsigned k = 0; k < ROWS; k++)
            mine[32 * k + lane] = r[k];
        __syncwarp(); /* all have stored */
#pragma unroll
        for (unsigned k = 0; k < ROWS; k++)
            r[k] += mine[32 * k + (lane ^ m)];
        __syncwarp(); /* all have read, before the next round overwrites it */
    }
    store_rows(out, n, r);
}

static __global__ void butterfly_groups(const float *in, size_t n, float *out)
{
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cg::this_thread_block());
    float r[ROWS];
    load_rows(r, in, n);
#pragma unroll
    for (unsigned k = 0; k < ROWS; k++)
        r[k] = cg::reduce(warp, r[k], cg::plus<float>()); /* CUDA 13: the same five swaps */
    store_rows(out, n, r);
}

static void check_butterfly(const struct answer *a, struct verdict *verdict)
{
    float sum = 0.0f;
    for (size_t i = 0; i < a->n; i++) {
        if (i % 32 == 0)
            sum = row_sum(a->in, a->n, i, 32);
        expect_float(verdict, a->out, i, sum);
    }
}

static const struct task row_sums = {.words = n_words, .check = check_butterfly};

static const struct variant variants[] = {
    ROWS_VARIANT("butterfly", butterfly, 0, row_sums, "each lane gets the sum of its row"),
    ROWS_VARIANT("butterfly_shared", butterfly_shared, 32 * ROWS, row_sums,
                 "through shared memory"),
    ROWS_VARIANT("butterfly_groups", butterfly_groups, 0, row_sums, "by cg::reduce()"),
};

const struct topic butterfly_topic = TOPIC(variants);
