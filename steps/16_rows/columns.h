/*
 * columns.h: what column_lanes.cu and column_slots.cu share: lanes side by side along a row, and
 * the threads of a block that have the same column merge through shared memory.
 */
#ifndef COLUMNS_H
#define COLUMNS_H

#include "matrix.h"

/* Columns that a block takes at a time: 32, the floats of a whole line, or all if there are fewer.
   They are a strip. */
static inline __host__ __device__ unsigned strip_width(size_t columns)
{
    return columns == 0 ? 1 : columns < 32 ? (unsigned)columns : 32;
}

/* What a thread knows of its column: of row `begin`, and of every step-th after it. BATCH rows are
   in flight at once. */
template <bool BY_BATCH, class OP>
static inline __device__ typename OP::state column_state(OP op, struct matrix m, size_t column,
                                                         size_t begin, size_t step)
{
    typename OP::state s = op.none();

    for (size_t first = begin; first < m.rows; first += BATCH * step) {
        float x[BATCH] = {};
#pragma unroll
        for (int k = 0; k < BATCH; k++)
            if (first + k * step < m.rows)
                x[k] = m.in[(first + k * step) * m.lead + column];
        if constexpr (BY_BATCH) {
            if (first + (BATCH - 1) * step < m.rows) {
                s = op.merge(s, op.of_batch(x));
                continue;
            }
        }
#pragma unroll
        for (int k = 0; k < BATCH; k++)
            if (first + k * step < m.rows)
                s = op.add(s, x[k], first + k * step);
    }
    return s;
}

/* Threads 0 to width - 1 get the states of their columns: thread t has column t % width of the
   strip, and so has every width-th one. Two calls need a barrier between them. */
template <class OP>
static inline __device__ typename OP::state strip_merge(OP op, typename OP::state s, unsigned width)
{
    __shared__ __align__(16) typename OP::state of_thread[1024];
    unsigned tid = threadIdx.x, left = blockDim.x / width; /* threads of a column, still to merge */

    of_thread[tid] = s;
    while (left > 1) {
        unsigned half = (left + 1) / 2;
        __syncthreads();
        if (tid / width + half < left) {
            s = op.merge(s, of_thread[tid + half * width]);
            of_thread[tid] = s;
        }
        left = half;
    }
    return s;
}

/* Additions and merges on the longest way through both, where so many threads share a column. */
static inline size_t column_depth(size_t rows, size_t threads, size_t threads_of_block)
{
    size_t each = (rows + threads - 1) / threads;
    return (each + BATCH - 1) / BATCH * BATCH + 1 + 2 * ceil_log2(threads_of_block);
}

#endif
