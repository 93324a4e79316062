/*
 * carry.h: what a thread has begun of a row goes on to the threads after it (ragged_even.cu).
 */
#ifndef CARRY_H
#define CARRY_H

#include "15_operators/reduce.h"

/* As shuffle_down() of step 15: lane i gets the state of lane i - offset. */
template <class STATE> static inline __device__ STATE shuffle_up(STATE s, unsigned offset)
{
    unsigned words[sizeof s / 4];
    memcpy(words, &s, sizeof s);
#pragma unroll
    for (unsigned i = 0; i < sizeof s / 4; i++)
        words[i] = __shfl_up_sync(0xffffffff, words[i], offset);
    memcpy(&s, words, sizeof s);
    return s;
}

/* Writes a state with its padding: it may be read whole, 16 bytes at a time. */
template <class STATE> static inline __device__ void put(STATE *to, STATE s)
{
    memcpy(to, &s, sizeof s);
}

/* Each thread has the state of the row that it ended with, and whether a row ended before that. It
   gets what the threads before it, and *carry before these, know of the row that it began with.
   *carry, of shared memory, becomes what all of them know of the last row, for the next call. */
template <class OP>
static inline __device__ typename OP::state carried_to_me(OP op, typename OP::state s, bool ended,
                                                          typename OP::state *carry)
{
    __shared__ __align__(16) typename OP::state of_warp[32];
    __shared__ bool ended_in[32];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;

    for (unsigned offset = 1; offset < 32; offset *= 2) {
        typename OP::state before = shuffle_up(s, offset);
        bool did = __shfl_up_sync(0xffffffff, ended, offset);
        if (lane >= offset && !ended)
            s = op.merge(before, s);
        ended |= lane >= offset && did;
    }
    if (lane == 31) {
        of_warp[warp] = s;
        ended_in[warp] = ended;
    }
    __syncthreads();
    typename OP::state mine = *carry;
    for (unsigned w = 0; w < warp; w++)
        mine = ended_in[w] ? of_warp[w] : op.merge(mine, of_warp[w]);
    typename OP::state all = ended ? s : op.merge(mine, s), before = shuffle_up(all, 1);
    __syncthreads(); /* all have read *carry */
    if (threadIdx.x == blockDim.x - 1)
        put(carry, all);
    return lane > 0 ? before : mine;
}

#endif
