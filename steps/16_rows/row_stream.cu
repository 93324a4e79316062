/*
 * row_stream: short rows, one behind the other, are one stream of floats.
 *
 * New:     against row_thread.cu: a block copies many rows into shared memory at once, 16 bytes at
 * a time wherever the rows begin, and waits. From there a thread has a row, or a part of one. Why:
 * rows of an odd length begin at any address, so their lanes cannot load 16 bytes. All of them
 * together are one piece with one head and one tail. And in shared memory rows of an odd length lie
 * in different banks. Look at: ./step16 -n 64512 -v row_warp,row_lanes,row_stream --row 7,63
 * --counters
 */
#include "columns.h"

#include <cuda_pipeline.h>

#define TILE 6144 /* floats that a block copies at once: 24 KB */

/* Copies n floats into shared memory, to x[shift] and on. As many floats as `from` lies above a
   multiple of 16 bytes are the shift, so that both sides are aligned at the same floats. */
static inline __device__ unsigned copy_tile(float *x, const float *from, unsigned n)
{
    unsigned shift = (unsigned)((uintptr_t)from / sizeof *from % 4), end = shift + n;

    for (unsigned i = 4 * threadIdx.x; i < end; i += 4 * blockDim.x) {
        if (i >= shift && i + 4 <= end)
            __pipeline_memcpy_async(x + i, from + i - shift, 16);
        else
            for (unsigned k = max(i, shift); k < min(i + 4, end); k++)
                __pipeline_memcpy_async(x + k, from + k - shift, 4);
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    return shift;
}

template <class OP> static __global__ void reduce_rows(OP op, struct matrix m, unsigned rows)
{
    extern __shared__ __align__(16) float x[]; /* TILE floats, and 3 before them */
    unsigned row = threadIdx.x % rows, part = threadIdx.x / rows, parts = blockDim.x / rows;

    for (size_t first = (size_t)blockIdx.x * rows; first < m.rows;
         first += (size_t)gridDim.x * rows) {
        unsigned here = (unsigned)min((size_t)rows, m.rows - first);
        typename OP::state s = op.none();
        for (size_t begin = 0; begin < m.row; begin += TILE) { /* once, but for longer rows */
            unsigned n = (unsigned)min((here - 1) * m.lead + m.row - begin, (size_t)TILE);
            unsigned shift = copy_tile(x, m.in + first * m.lead + begin, n);
            if (part < parts && row < here)
                for (size_t i = part; i < m.row - begin && i < TILE; i += parts)
                    s = op.add(s, x[shift + row * m.lead + i], begin + i);
            __syncthreads(); /* x is filled again */
        }
        s = strip_merge(op, s, rows);
        if (threadIdx.x < here)
            op.answer(s, m.out + (first + threadIdx.x) * m.words);
    }
}

struct rows_as_a_stream {
    template <bool BY_BATCH, class OP> static void launch(struct sum *s, OP op)
    {
        struct matrix m = matrix_of(s);
        size_t fit = m.lead > 0 && m.lead < TILE ? TILE / m.lead : 1;
        unsigned rows = (unsigned)(fit < s->block ? fit : s->block), parts = s->block / rows;

        s->grid = grid_for_rows(s, m.rows, rows);
        s->depth = (m.row + parts - 1) / parts + 1 + m.row / TILE + 2 * ceil_log2(parts);
        reduce_rows<<<s->grid, s->block, (TILE + 3) * sizeof(float), s->stream>>>(op, m, rows);
    }
};

extern const struct variant variant_row_stream = {
    .name = "row_stream",
    .what = "rows copied into shared memory as one stream, whatever their length",
    .launch = launch_by_operator<rows_as_a_stream>,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .max_block = 800, /* as column_slots */
    .task = &rows_task,
};
