/*
 * scan.h: what all prefix sums of this topic share: the scan of a warp, and of the warps of a
 * block; and how an answer is checked (lesson.c).
 */
#ifndef SCAN_H
#define SCAN_H

#include "toolbox/toolbox.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The sums of each row of 32 floats, of each block's share, with the element itself or without it.
   A library may add in another order than warp_scan(). */
extern const struct task scan_warp_task, scan_warp_library_task, scan_warp_exclusive_task,
    scan_block_task, scan_block_exclusive_task;

/* Which sums an answer holds, and how they were added up. */
struct scan_shape {
    size_t share;   /* the sums begin anew at each multiple of so many floats; 0: never */
    bool exclusive; /* out[i] lacks in[i]: it holds what comes before */
    size_t depth;   /* additions on the longest way through a tile, and from there to out[i] */
    size_t tile;    /* floats of a tile, at least; 0: there is only one */
};

/* Each out[i] against the sum in double, with the bound for its own way of adding up. */
void check_scan(const struct answer *answer, struct verdict *verdict,
                const struct scan_shape *shape);

#ifdef __cplusplus
}
#endif

#ifdef __CUDACC__

/* Lane l gets the sum of lanes 0 to l. Before round d each lane has the sum of d lanes, its own
   the last of them. A lane below d would read beyond lane 0: it is done. */
static inline __device__ float warp_scan(float x)
{
    unsigned lane = threadIdx.x % 32;
#pragma unroll
    for (unsigned d = 1; d < 32; d *= 2) {
        float below = __shfl_up_sync(0xffffffff, x, d);
        if (lane >= d)
            x += below;
    }
    return x;
}

/* The sum of the warps before this one, and in *all that of the block; `mine` is the sum of the
   whole warp, and lane 31 must know it. Two calls need a barrier between them: totals is used
   again. */
static inline __device__ float warps_before(float mine, float *all)
{
    __shared__ float totals[32];
    unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32;

    if (lane == 31)
        totals[warp] = mine;
    __syncthreads();
    if (warp == 0)
        totals[lane] = warp_scan(lane < warps ? totals[lane] : 0.0f);
    __syncthreads();
    *all = totals[warps - 1];
    return warp > 0 ? totals[warp - 1] : 0.0f;
}

/* Lane l gets what lane l - 1 has, lane 0 a zero. */
static inline __device__ float from_below(float x)
{
    float below = __shfl_up_sync(0xffffffff, x, 1);
    return threadIdx.x % 32 > 0 ? below : 0.0f;
}

#endif
#endif
