/*
 * column_lanes: an answer for each column; a block for 32 columns.
 *
 * New:     against row_thread.cu: the answers lie across the rows. A thread has a column for
 *          itself, and so its lanes read side by side; the other warps take other rows of the same
 *          columns.
 * Why:     for columns a thread each is right: what was a mistake for rows. But a matrix of 32
 *          columns has work for one block, however many rows there are.
 * Look at: ./step16 -v 'column_*' -n 16M --row 8,1K,64K
 */
#include "columns.h"

template <bool BY_BATCH, class OP> static __global__ void reduce_columns(OP op, struct matrix m)
{
    unsigned width = strip_width(m.row), line = threadIdx.x / width, lines = blockDim.x / width;

    for (size_t first = (size_t)blockIdx.x * width; first < m.row;
         first += (size_t)gridDim.x * width) {
        size_t column = first + threadIdx.x % width;
        typename OP::state s = op.none();
        if (line < lines && column < m.row)
            s = column_state<BY_BATCH>(op, m, column, line, lines);
        s = strip_merge(op, s, width);
        if (threadIdx.x < width && column < m.row)
            op.answer(s, m.out + column * m.words);
        __syncthreads(); /* strip_merge() uses its shared memory again */
    }
}

struct block_a_strip {
    template <bool BY_BATCH, class OP> static void launch(struct sum *s, OP op)
    {
        struct matrix m = matrix_of(s);
        unsigned width = strip_width(m.row), lines = s->block / width;

        s->grid = grid_for_rows(s, m.row, 32);
        s->depth = column_depth(m.rows, lines, lines);
        reduce_columns<BY_BATCH><<<s->grid, s->block, 0, s->stream>>>(op, m);
    }
};

extern const struct variant variant_column_lanes = {
    .name = "column_lanes",
    .what = "an answer for each column; a block for 32 of them",
    .launch = launch_by_operator<block_a_strip>,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .max_block = 800, /* log_sum_exp has 78 registers on Turing, and an SM 65,536 */
    .task = &columns_task,
};
