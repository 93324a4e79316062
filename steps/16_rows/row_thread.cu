/*
 * row_thread: a thread for each row.
 *
 * New:     against ../15_operators/reduce_sum.cu: many answers. A thread has a row for itself, so
 *          it needs no other thread.
 * Why:     it is what one writes first. But the lanes of a warp read 32 rows at the same time: 32
 *          addresses far apart, and of every sector of 32 bytes one float.
 * Look at: ./step16 -v row_thread,row_warp --row 4,32,1K --counters: bytes for each float
 */
#include "matrix.h"

template <class OP> static __global__ void reduce_rows(OP op, struct matrix m)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;

    for (size_t r = blockIdx.x * (size_t)blockDim.x + threadIdx.x; r < m.rows; r += threads) {
        typename OP::state s = op.none();
        for (size_t i = 0; i < m.row; i++)
            s = op.add(s, m.in[r * m.lead + i], i);
        op.answer(s, m.out + r * m.words);
    }
}

struct thread_a_row {
    template <bool BY_BATCH, class OP> static void launch(struct sum *s, OP op)
    {
        struct matrix m = matrix_of(s);
        s->grid = grid_for_rows(s, m.rows, s->block);
        s->depth = m.row + 1;
        reduce_rows<<<s->grid, s->block, 0, s->stream>>>(op, m);
    }
};

extern const struct variant variant_row_thread = {
    .name = "row_thread",
    .what = "a thread for each row",
    .launch = launch_by_operator<thread_a_row>,
    .task = &rows_task,
};
