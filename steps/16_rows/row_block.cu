/*
 * row_block: a block for each row.
 *
 * New:     against row_warp.cu: the threads of a block share a row, and merge by block_merge().
 * Why:     of a long row many loads are in flight, and few rows keep many threads busy. A short row
 *          leaves most of them without an element, and all wait at the barriers.
 * Look at: ./step16 -v row_warp,row_block --row 32,1K,64K
 */
#include "matrix.h"

template <bool BY_BATCH, class OP> static __global__ void reduce_rows(OP op, struct matrix m)
{
    struct place at = {threadIdx.x, blockDim.x, 0, 1};

    for (size_t r = blockIdx.x; r < m.rows; r += gridDim.x) {
        typename OP::state s = thread_state<BY_BATCH>(op, m.in + r * m.lead, m.row, at);
        s = block_merge(op, s);
        if (threadIdx.x == 0)
            op.answer(s, m.out + r * m.words);
        __syncthreads(); /* block_merge() uses its shared memory again */
    }
}

struct block_a_row {
    template <bool BY_BATCH, class OP> static void launch(struct sum *s, OP op)
    {
        struct matrix m = matrix_of(s);
        s->grid = grid_for_rows(s, m.rows, 1);
        s->depth = thread_depth(m.row, s->block) + 2 * (5 + 5);
        reduce_rows<BY_BATCH><<<s->grid, s->block, 0, s->stream>>>(op, m);
    }
};

extern const struct variant variant_row_block = {
    .name = "row_block",
    .what = "a block for each row",
    .launch = launch_by_operator<block_a_row>,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &rows_task,
};
