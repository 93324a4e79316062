/*
 * row_warp: a warp for each row.
 *
 * New:     against row_thread.cu: 32 threads share a row, by thread_state() of step 15, and merge
 *          what they know by shuffles.
 * Why:     lanes side by side read floats side by side. No barrier: a warp is done when its lanes
 *          are, and takes the next row.
 * Look at: ./step16 -v row_thread,row_warp --row 4,32,1K,64K
 */
#include "matrix.h"

template <bool BY_BATCH, class OP> static __global__ void reduce_rows(OP op, struct matrix m)
{
    size_t warps = (size_t)gridDim.x * blockDim.x / 32;
    unsigned lane = threadIdx.x % 32;
    struct place at = {lane, 32, 0, 1}; /* 32 threads, and no other team has this row */

    for (size_t r = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) / 32; r < m.rows; r += warps) {
        typename OP::state s = thread_state<BY_BATCH>(op, m.in + r * m.lead, m.row, at);
        s = warp_merge(op, s);
        if (lane == 0)
            op.answer(s, m.out + r * m.words);
    }
}

struct warp_a_row {
    template <bool BY_BATCH, class OP> static void launch(struct sum *s, OP op)
    {
        struct matrix m = matrix_of(s);
        s->grid = grid_for_rows(s, m.rows, s->block / 32);
        s->depth = thread_depth(m.row, 32) + 2 * 5;
        reduce_rows<BY_BATCH><<<s->grid, s->block, 0, s->stream>>>(op, m);
    }
};

extern const struct variant variant_row_warp = {
    .name = "row_warp",
    .what = "a warp for each row",
    .launch = launch_by_operator<warp_a_row>,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &rows_task,
};
