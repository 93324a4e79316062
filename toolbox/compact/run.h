/*
 * run.h: what a warp of compact.cu reads, all of it asked for at once, and how it writes what it
 * keeps.
 */
#ifndef RUN_H
#define RUN_H

#include <stdint.h>

#define LOADS 4             /* float4 for each thread, all asked for before the first is needed */
#define RUN   (LOADS * 128) /* elements of a warp */

/* The warp's RUN elements lie one behind the other. What is behind the n-th counts as 0, and 0 is
   not kept. The whole run has loads of its own, without a guard: see tile.h of step 08. */
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

#endif
