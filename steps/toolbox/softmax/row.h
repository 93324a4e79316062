/*
 * row.h: a row of a matrix in the registers of the threads that share it, and what they tell each
 * other about it: its maximum, its sum. For the softmax of the toolbox.
 */
#ifndef ROW_H
#define ROW_H

#include <cuda_runtime.h>
#include <math.h>

/* x[] is this thread's part of a row of so many floats: 4 * FOURS of them, what lies after the row
   is minus infinity, whose exponential is 0. The threads alternate, with 4 neighbours each (16
   bytes, BY_FOUR) or with one, so the lanes of a warp always touch neighbours. x[] must have
   constant indices, or it is no register. All loads are asked for before the first is needed. */
template <int FOURS, bool BY_FOUR>
static __device__ void load_part(float x[4 * FOURS], const float *row, unsigned floats,
                                 unsigned thread, unsigned threads)
{
    if (BY_FOUR) {
#pragma unroll
        for (int k = 0; k < FOURS; k++) {
            unsigned i = 4 * (k * threads + thread);
            float4 v = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};
            if (i < floats)
                v = *(const float4 *)(row + i);
            x[4 * k] = v.x;
            x[4 * k + 1] = v.y;
            x[4 * k + 2] = v.z;
            x[4 * k + 3] = v.w;
        }
    } else {
#pragma unroll
        for (int k = 0; k < 4 * FOURS; k++) {
            unsigned i = k * threads + thread;
            x[k] = i < floats ? row[i] : -INFINITY;
        }
    }
}

/* The same way back, each value times `factor`. */
template <int FOURS, bool BY_FOUR>
static __device__ void store_part(float *row, const float x[4 * FOURS], float factor,
                                  unsigned floats, unsigned thread, unsigned threads)
{
    if (BY_FOUR) {
#pragma unroll
        for (int k = 0; k < FOURS; k++) {
            unsigned i = 4 * (k * threads + thread);
            float4 v = {x[4 * k] * factor, x[4 * k + 1] * factor, x[4 * k + 2] * factor,
                        x[4 * k + 3] * factor};
            if (i < floats)
                *(float4 *)(row + i) = v;
        }
    } else {
#pragma unroll
        for (int k = 0; k < 4 * FOURS; k++) {
            unsigned i = k * threads + thread;
            if (i < floats)
                row[i] = x[k] * factor;
        }
    }
}

/* fmaxf() leaves out a NaN, so a NaN is never the maximum; but it stays in its place and comes
   back in the sum. */
template <int FOURS> static __device__ float max_of_part(const float x[4 * FOURS])
{
    float max = x[0];
#pragma unroll
    for (int k = 1; k < 4 * FOURS; k++)
        max = fmaxf(max, x[k]);
    return max;
}

/* x becomes exp(x - max); the sum of those is returned. Four sums, so that an addition waits for
   the one four before it. */
template <int FOURS> static __device__ float exp_of_part(float x[4 * FOURS], float max)
{
    float sum[4] = {};
#pragma unroll
    for (int k = 0; k < 4 * FOURS; k++) {
        x[k] = expf(x[k] - max);
        sum[k % 4] += x[k];
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

enum what { MAXIMUM, SUM };

template <enum what WHAT> static __device__ float combine(float a, float b)
{
    return WHAT == MAXIMUM ? fmaxf(a, b) : a + b;
}

/* What changes nothing when it is combined. */
template <enum what WHAT> static __device__ float neutral(void)
{
    return WHAT == MAXIMUM ? -INFINITY : 0.0f;
}

/* The value of the lane whose number differs by `distance` (its bits flipped): from its register,
   or through shared memory, of which each thread of the block has a word. */
template <bool BY_SHARED> static __device__ float partner(float value, unsigned distance)
{
    if (BY_SHARED) {
        __shared__ float smem[1024];
        smem[threadIdx.x] = value;
        __syncwarp();
        value = smem[threadIdx.x ^ distance];
        __syncwarp(); /* all have read: a word may be written again */
        return value;
    }
    return __shfl_xor_sync(0xffffffff, value, distance);
}

/* The maximum or the sum of LANES neighbouring lanes (8, 16 or 32), for each of them: a butterfly,
   since all of them need it. warp_sum() of step 05 gives it to lane 0 alone. */
template <enum what WHAT, int LANES, bool BY_SHARED> static __device__ float of_lanes(float value)
{
#pragma unroll
    for (unsigned distance = LANES / 2; distance > 0; distance /= 2)
        value = combine<WHAT>(value, partner<BY_SHARED>(value, distance));
    return value;
}

/* The maximum or the sum of `count` words of shared memory, for each lane of a warp. */
template <enum what WHAT> static __device__ float of_words(const float *words, unsigned count)
{
    float value = neutral<WHAT>();
    for (unsigned i = threadIdx.x % 32; i < count; i += 32)
        value = combine<WHAT>(value, words[i]);
    return of_lanes<WHAT, 32, false>(value);
}

#endif
