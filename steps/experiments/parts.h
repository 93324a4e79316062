/*
 * parts.h: the loop of steps 05 to 07 with one thing that can be changed: how many loads, and how
 * wide, each thread has in flight at once.
 */
#ifndef PARTS_H
#define PARTS_H

#include "lesson.h"
#include "library/parts/warp_sum.h"
#include <stdint.h>

static __device__ inline float total(float v)
{
    return v;
}

static __device__ inline float total(float4 v)
{
    return (v.x + v.y) + (v.z + v.w);
}

/* A grid-stride loop of loads of type V, float or float4. A thread asks for FLIGHT of them, and
   for the next ones when it has added these: instructions of a warp issue in order, and the
   loop is not unrolled, so FLIGHT loads are in flight and never more. */
template <typename V, int FLIGHT> static __device__ float thread_sum(const float *in, size_t n)
{
    size_t first = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t stride = (size_t)gridDim.x * blockDim.x;
    /* Up to the first address that V may have, then whole Vs, then the rest. */
    size_t head = (sizeof(V) - (uintptr_t)in % sizeof(V)) % sizeof(V) / sizeof(float);
    head = head < n ? head : n;
    const V *body = (const V *)(in + head);
    size_t count = (n - head) / (sizeof(V) / sizeof(float));
    size_t tail = head + count * (sizeof(V) / sizeof(float));
    float sum = 0.0f;

    if (first < head)
        sum += in[first];
    if (first < n - tail)
        sum += in[tail + first];
#pragma unroll 1
    for (size_t i = first; i < count; i += FLIGHT * stride) {
        V v[FLIGHT] = {};
#pragma unroll
        for (int k = 0; k < FLIGHT; k++)
            if (i + k * stride < count)
                v[k] = body[i + k * stride];
#pragma unroll
        for (int k = 0; k < FLIGHT; k++)
            sum += total(v[k]);
    }
    return sum;
}

/* The longest way of an element through thread_sum() and block_sum(). */
template <typename V, int FLIGHT> static size_t block_depth(size_t n, size_t threads)
{
    size_t rounds = blocks_for(n, threads * FLIGHT * (sizeof(V) / sizeof(float)));
    return 2 + 2 + rounds * FLIGHT + 5 + 5; /* head and tail; x + y + z + w; warp, warps */
}

#endif
