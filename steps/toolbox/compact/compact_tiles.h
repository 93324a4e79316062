/*
 * compact_tiles.h: the kernel of compact.cu and compact_shared.cu. A warp takes 512 floats, puts
 * what it keeps side by side in shared memory, and writes it in one piece.
 */
#ifndef COMPACT_TILES_H
#define COMPACT_TILES_H

#include "compact.h"

#define LOADS 4             /* float4 for each thread, all asked for before the first is needed */
#define RUN   (LOADS * 128) /* elements of a warp */

/* What a block keeps, and 4224 bytes of counts, must fit into 48 KB of shared memory. */
#define MOST_THREADS ((48 * 1024 - 4224) / (LOADS * 16) / 32 * 32)

/* The warp's RUN elements lie one after the other. What is after the n-th counts as 0, and 0 is
   not kept. The whole run has loads of its own, without a guard: see library/parts/tile.h. */
static __device__ void load(float4 v[LOADS], const float *in, size_t n, size_t first)
{
    size_t mine = first + threadIdx.x % 32 * 4;
    if (first + RUN <= n && (uintptr_t)in % 16 == 0) {
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            v[k] = *(const float4 *)(in + mine + k * 128);
    } else {
#pragma unroll
        for (int k = 0; k < LOADS; k++) {
            size_t i = mine + k * 128;
            v[k].x = i < n ? in[i] : 0.0f;
            v[k].y = i + 1 < n ? in[i + 1] : 0.0f;
            v[k].z = i + 2 < n ? in[i + 2] : 0.0f;
            v[k].w = i + 3 < n ? in[i + 3] : 0.0f;
        }
    }
}

/* In whole lines of 128 bytes, but for the first and the last. */
static __device__ void store_run(float *out, const float *run, unsigned count)
{
    unsigned skew = (uintptr_t)out / sizeof(float) % 32;
    for (unsigned i = threadIdx.x % 32; i < skew + count; i += 32)
        if (i >= skew)
            out[i - skew] = run[i - skew];
}

/* A place in out[] for what this warp keeps. Warp 0 adds up the counts of all warps, so its last
   lane knows their total. That lane is elected: it asks for room for the whole block, and tells the
   others where it begins. */
static __device__ unsigned place_of_warp(unsigned count, unsigned *number)
{
    __shared__ unsigned places[32];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;

    if (lane == 0)
        places[warp] = count;
    __syncthreads();
    if (warp == 0) {
        unsigned own = lane < warps ? places[lane] : 0, upto = own, base = 0;
#pragma unroll
        for (unsigned m = 1; m < 32; m *= 2) {
            unsigned lower = __shfl_up_sync(0xffffffff, upto, m);
            upto += lane >= m ? lower : 0;
        }
        if (lane == 31)
            base = atomicAdd(number, upto);
        base = __shfl_sync(0xffffffff, base, 31);
        if (lane < warps)
            places[lane] = base + upto - own;
    }
    __syncthreads();
    return places[warp];
}

/* BELOW: the warp's lanes call it with 128 elements; how many of these do the lanes below keep? */
template <unsigned BELOW(float4)>
static __global__ void compact_tiles(const float *in, size_t n, float *out, unsigned *number)
{
    extern __shared__ float runs[]; /* a run for each warp: what it keeps, side by side */
    float *run = runs + threadIdx.x / 32 * RUN;
    size_t warp = (size_t)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    unsigned count = 0;
    float4 v[LOADS];

    load(v, in, n, warp * RUN);
#pragma unroll
    for (int k = 0; k < LOADS; k++) {
        float *next = run + count + BELOW(v[k]);
        if (v[k].x > 0)
            *next++ = v[k].x;
        if (v[k].y > 0)
            *next++ = v[k].y;
        if (v[k].z > 0)
            *next++ = v[k].z;
        if (v[k].w > 0)
            *next++ = v[k].w;
        count = __shfl_sync(0xffffffff, (unsigned)(next - run), 31); /* the last lane's end */
    }
    unsigned place = place_of_warp(count, number); /* its barriers are for run[], too */
    store_run(out + place, run, count);
}

template <unsigned BELOW(float4)> static void launch_tiles(struct sum *s)
{
    unsigned *number = zeroed_number(s);
    size_t tile = s->block * (LOADS * 4);
    s->grid = blocks_for(s->n, tile);
    compact_tiles<BELOW>
        <<<s->grid, s->block, tile * sizeof(float), s->stream>>>(s->in, s->n, s->out, number);
    CUDA_CHECK(cudaGetLastError());
}

static void check_runs(const struct answer *answer, struct verdict *verdict)
{
    check_compaction(answer, verdict, RUN);
}

static const struct task compact_tiles_task = {
    .name = "compact",
    .words = compact_words,
    .check = check_runs,
    .written = compact_written,
    .max_n = UINT32_MAX, /* counted in 32 bits */
};

#endif
