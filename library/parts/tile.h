/*
 * tile.h: what steps 08 to 11 do with their share of the array: read it 16 bytes at a time, with
 * many loads in flight, and add it up for each thread.
 */
#ifndef TILE_H
#define TILE_H

#include "lesson.h"
#include "warp_sum.h" /* warp_sum(), block_sum() */

#include <stdint.h>

/* A 16-byte load needs an address that is a multiple of 16. So the array has a head of up to 3
   floats before the first such address, a body of whole float4, and a tail of up to 3 floats. */
struct parts {
    size_t head, vectors, tail; /* floats, float4, floats */
};

static inline __device__ struct parts parts_of(const float *in, size_t n)
{
    struct parts p;
    size_t to_boundary = (16 - (uintptr_t)in % 16) % 16 / sizeof(float);
    p.head = to_boundary < n ? to_boundary : n;
    p.vectors = (n - p.head) / 4;
    p.tail = (n - p.head) % 4;
    return p;
}

/* Head and tail, at most 6 floats: one for each of the first threads of the grid. It is one load,
   not two and a sum: for a sum nvcc would wait, before the loads of the body begin. The others get
   -0, which leaves every sum as it is, even one of -0. */
static inline __device__ float head_or_tail(const float *in, size_t n, struct parts p)
{
    unsigned i = threadIdx.x;
    bool in_head = i < p.head, in_tail = i < 8 && i >= 8 - p.tail;
    return blockIdx.x == 0 && (in_head || in_tail) ? in[in_head ? i : n - 8 + i] : -0.0f;
}

/* The tiles of this block, and every gridDim.x-th after them: LOADS float4 for each thread, one
   blockDim.x apart. All LOADS questions are asked before the first answer is needed. The whole
   tile has a loop of its own for that: with a guard at each load, and no other, nvcc keeps to 32
   registers and waits for the first answers before it asks the last questions. The four members
   are added up apart, so that no addition waits for its neighbour. */
template <int LOADS> static inline __device__ float thread_sum(const float *in, size_t n)
{
    struct parts p = parts_of(in, n);
    const float4 *body = (const float4 *)(in + p.head);
    unsigned tile = LOADS * blockDim.x;
    const float4 zero = {0.0f, 0.0f, 0.0f, 0.0f};
    float4 sum = zero;
    float rest = head_or_tail(in, n, p); /* asked for first: the answer comes with the others */

    for (size_t first = (size_t)blockIdx.x * tile; first < p.vectors;
         first += (size_t)gridDim.x * tile) {
        const float4 *mine = body + first + threadIdx.x;
        size_t left = p.vectors - first;
        float4 v[LOADS];
        if (left >= tile) {
#pragma unroll
            for (int k = 0; k < LOADS; k++)
                v[k] = mine[k * blockDim.x];
        } else {
#pragma unroll
            for (int k = 0; k < LOADS; k++)
                v[k] = threadIdx.x + k * blockDim.x < left ? mine[k * blockDim.x] : zero;
        }
#pragma unroll
        for (int k = 0; k < LOADS; k++) {
            sum.x += v[k].x;
            sum.y += v[k].y;
            sum.z += v[k].z;
            sum.w += v[k].w;
        }
    }
    return (sum.x + sum.y) + (sum.z + sum.w) + rest;
}

/* Additions on the longest way through thread_sum() of that many tiles, and block_sum(): one a
   load, two for the members, one for head or tail, five a warp, five for the warps. */
static inline size_t tile_depth(size_t tiles, size_t loads)
{
    return tiles * loads + 2 + 1 + 5 + 5;
}

/* Blocks of s->block threads: one for each tile, up to 64 for each SM; more tiles are shared out.
 */
static inline unsigned tile_grid(const struct sum *s, size_t loads)
{
    size_t tile = s->block * loads * 4, most = 64 * (size_t)s->sms;
    size_t tiles = s->n == 0 ? 1 : (s->n - 1) / tile + 1;
    return (unsigned)(tiles < most ? tiles : most);
}

/* How many tiles a block of the grid s->grid has, at most. */
static inline size_t tiles_each(const struct sum *s, size_t loads)
{
    size_t all = s->grid * (s->block * loads * 4);
    return (s->n + all - 1) / all;
}

#endif
