/*
 * reduce_even.h: for reduce_segments.cu, where segments are short, and much of the same length, or
 * have few elements altogether. Then each has a warp, and nothing is to be searched. Whether it is
 * so, the offsets say; every block asks for the same of them, and so all decide alike.
 */
#ifndef REDUCE_EVEN_H
#define REDUCE_EVEN_H

#include "reduce_plan.h"
#include "reduce_state.h"

enum { PARTS_OF_A_THREAD = (int)EVEN_PARTS / (int)SEGMENT_THREADS };

/* No part has more than EVEN_BYTES of elements. The same in all threads; a barrier. */
template <typename T> static inline __device__ bool is_even(const int64_t *offsets, size_t segments)
{
    const size_t part = (segments + EVEN_PARTS - 1) / EVEN_PARTS;
    int64_t from[PARTS_OF_A_THREAD], to[PARTS_OF_A_THREAD];
    bool is_large = false;
#pragma unroll
    for (unsigned k = 0; k < PARTS_OF_A_THREAD; k++) {
        const size_t first = (k * SEGMENT_THREADS + threadIdx.x) * part;
        const bool is_there = first < segments;
        from[k] = is_there ? offsets[first] : 0;
        to[k] = is_there ? offsets[segments - first < part ? segments : first + part] : 0;
    }
#pragma unroll
    for (unsigned k = 0; k < PARTS_OF_A_THREAD; k++)
        is_large |= (size_t)(to[k] - from[k]) > EVEN_BYTES / sizeof(T);
    return !__syncthreads_or(is_large);
}

/* One segment, by the block. */
template <class OP, typename T>
static inline __device__ void block_a_segment(OP op, const T *segment, size_t n, void *out,
                                              size_t i)
{
    struct running<OP> s = nothing_yet(op);
    const struct row_share<T> share =
        take_share<false>(op, s, segment, n, threadIdx.x, SEGMENT_THREADS);
    trigger_next_launch();
    block_state(op, s, n, share);
    if (threadIdx.x == 0)
        op.answer(s.first, s.second, n, out, i);
}

/* The segments of a block: one for each warp, but for those that are long. Returns false, and does
   nothing, if the segments are not even. */
template <class OP, typename T>
static inline __device__ bool even_segments(OP op, const T *data, const int64_t *offsets,
                                            size_t segments, void *out)
{
    const unsigned warps = SEGMENT_THREADS / 32;
    const size_t first = (size_t)blockIdx.x * warps, mine = first + threadIdx.x / 32;
    const bool is_there = mine < segments;
    /* In flight with what is_even() asks for. */
    const size_t start = is_there ? (size_t)offsets[mine] : 0;
    const size_t n = is_there ? (size_t)offsets[mine + 1] - start : 0;
    if (!is_even<T>(offsets, segments))
        return false;
    const bool is_long = n * sizeof(T) > MOST_OF_A_WARP;
    if (is_there && !is_long) {
        struct running<OP> s = nothing_yet(op);
        const struct row_share<T> share =
            take_share<false>(op, s, data + start, n, threadIdx.x % 32, 32);
        trigger_next_launch();
        warp_state(op, s, n, share);
        if (threadIdx.x % 32 == 0)
            op.answer(s.first, s.second, n, out, mine);
    }
    if (!__syncthreads_or(is_long))
        return true;
    for (size_t i = first; i < first + warps && i < segments; i++) {
        const size_t its_start = (size_t)offsets[i], its_n = (size_t)offsets[i + 1] - its_start;
        if (its_n * sizeof(T) > MOST_OF_A_WARP) {
            block_a_segment(op, data + its_start, its_n, out, i);
            __syncthreads(); /* all have read what it left in shared memory */
        }
    }
    return true;
}

#endif
