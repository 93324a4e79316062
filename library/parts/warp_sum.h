/*
 * warp_sum.h: the sum of a warp and of a block, by shuffles. Every step from here on uses them.
 */
#ifndef WARP_SUM_H
#define WARP_SUM_H

/* Lane 0 gets the sum of its warp, the others something of no use. The mask names all 32 lanes,
   and the sum reads them all: a lane that is read must be there, so blocks are whole warps. */
static inline __device__ float warp_sum(float value)
{
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2)
        value += __shfl_down_sync(0xffffffff, value, offset);
    return value;
}

/* Thread 0 gets the sum of its block. 1024 threads are at most 32 warps, so one more warp_sum()
   adds up what the warps found. Two calls need a barrier between them: smem is used again. */
static inline __device__ float block_sum(float value)
{
    __shared__ float smem[32];
    unsigned tid = threadIdx.x;

    value = warp_sum(value);
    if (tid % 32 == 0)
        smem[tid / 32] = value;
    __syncthreads();
    if (tid < 32) {
        value = tid < (blockDim.x + 31) / 32 ? smem[tid] : 0.0f;
        value = warp_sum(value);
    }
    return value;
}

#endif
