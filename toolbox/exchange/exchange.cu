/*
 * Broadcast and rotation: two ways in which 32 lanes exchange a register. Each by shuffles, through
 * shared memory, and in cooperative groups, which name the warp as an object.
 *
 * Look at: ./toolbox08 -v 'broadcast*,rotate*' --counters
 */
#include "exchange.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

/* ---- broadcast: all lanes read one. Each element less the first of its row. ---- */

static __global__ void broadcast(const float *in, size_t n, float *out)
{
    float r[ROWS];
    load_rows(r, in, n);
#pragma unroll
    for (unsigned k = 0; k < ROWS; k++)
        r[k] -= __shfl_sync(ALL_LANES, r[k], 0);
    store_rows(out, n, r);
}

static __global__ void broadcast_shared(const float *in, size_t n, float *out)
{
    extern __shared__ float smem[];
    float *mine = smem + threadIdx.x / 32 * ROWS;
    float r[ROWS];
    load_rows(r, in, n);
    if (threadIdx.x % 32 == 0)
        for (unsigned k = 0; k < ROWS; k++)
            mine[k] = r[k];
    __syncwarp();
#pragma unroll
    for (unsigned k = 0; k < ROWS; k++)
        r[k] -= mine[k]; /* one word for all lanes: one wavefront */
    store_rows(out, n, r);
}

static __global__ void broadcast_groups(const float *in, size_t n, float *out)
{
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cg::this_thread_block());
    float r[ROWS];
    load_rows(r, in, n);
#pragma unroll
    for (unsigned k = 0; k < ROWS; k++)
        r[k] -= warp.shfl(r[k], 0);
    store_rows(out, n, r);
}

/* ---- rotation: each lane reads the next, the last of a row reads the first. ---- */

static __global__ void rotate(const float *in, size_t n, float *out)
{
    unsigned lane = threadIdx.x % 32;
    float r[ROWS];
    load_rows(r, in, n);
#pragma unroll
    for (unsigned k = 0; k < ROWS; k++) /* lane 32 is lane 0: a shuffle takes it modulo 32 */
        r[k] = __shfl_sync(ALL_LANES, r[k], element(k) + 1 < n ? lane + 1 : 0);
    store_rows(out, n, r);
}

static __global__ void rotate_shared(const float *in, size_t n, float *out)
{
    extern __shared__ float smem[];
    float *mine = smem + threadIdx.x / 32 * (32 * ROWS);
    unsigned lane = threadIdx.x % 32;
    float r[ROWS];
    load_rows(r, in, n);
#pragma unroll
    for (unsigned k = 0; k < ROWS; k++)
        mine[32 * k + lane] = r[k];
    __syncwarp();
#pragma unroll
    for (unsigned k = 0; k < ROWS; k++)
        r[k] = mine[32 * k + (element(k) + 1 < n ? (lane + 1) % 32 : 0)];
    store_rows(out, n, r);
}

static __global__ void rotate_groups(const float *in, size_t n, float *out)
{
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cg::this_thread_block());
    unsigned next = (warp.thread_rank() + 1) % warp.num_threads();
    float r[ROWS];
    load_rows(r, in, n);
#pragma unroll
    for (unsigned k = 0; k < ROWS; k++)
        r[k] = warp.shfl(r[k], element(k) + 1 < n ? next : 0);
    store_rows(out, n, r);
}

static void check_broadcast(const struct answer *a, struct verdict *verdict)
{
    for (size_t i = 0; i < a->n; i++)
        expect_float(verdict, a->out, i, a->in[i] - a->in[i / 32 * 32]);
}

static void check_rotate(const struct answer *a, struct verdict *verdict)
{
    check_rotation(a, verdict, 32);
}

static const struct task minus_first = {.words = n_words, .check = check_broadcast};
static const struct task rotated = {.words = n_words, .check = check_rotate};

static const struct variant variants[] = {
    ROWS_VARIANT("broadcast", broadcast, 0, minus_first, "each float less its row's first"),
    ROWS_VARIANT("broadcast_shared", broadcast_shared, ROWS, minus_first, "through shared memory"),
    ROWS_VARIANT("broadcast_groups", broadcast_groups, 0, minus_first, "in cooperative groups"),
    ROWS_VARIANT("rotate", rotate, 0, rotated, "each row of 32 moved on by one"),
    ROWS_VARIANT("rotate_shared", rotate_shared, 32 * ROWS, rotated, "through shared memory"),
    ROWS_VARIANT("rotate_groups", rotate_groups, 0, rotated, "in cooperative groups"),
};

const struct topic exchange_topic = TOPIC(variants);
