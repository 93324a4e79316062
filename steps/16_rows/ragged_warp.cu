/*
 * ragged_warp: a warp for each ragged row.
 *
 * New:     against row_warp.cu: where a row begins and ends is read from an array of offsets.
 * Why:     it is right, and fast while the rows are alike. One row of 100 million beside a million
 *          rows of 3 is left to one warp.
 * Look at: ./step16 -v 'ragged_*' -n 16M --row 16 --lengths equal, and --lengths one_long
 */
#include "matrix.h"

template <bool BY_BATCH, class OP>
static __global__ void reduce_rows(OP op, struct matrix m, const size_t *offsets)
{
    size_t warps = (size_t)gridDim.x * blockDim.x / 32;
    unsigned lane = threadIdx.x % 32;
    struct place at = {lane, 32, 0, 1}; /* 32 threads, and no other team has this row */

    for (size_t r = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) / 32; r < m.rows; r += warps) {
        size_t begin = offsets[r], end = offsets[r + 1];
        typename OP::state s = thread_state<BY_BATCH>(op, m.in + begin, end - begin, at);
        s = warp_merge(op, s);
        if (lane == 0)
            op.answer(s, m.out + r * m.words);
    }
}

struct warp_a_ragged_row {
    template <bool BY_BATCH, class OP> static void launch(struct sum *s, OP op)
    {
        struct matrix m = matrix_of(s);
        s->grid = grid_for_rows(s, m.rows, s->block / 32);
        s->depth = thread_depth(s->n, 32) + 2 * 5; /* one row may have them all */
        reduce_rows<BY_BATCH>
            <<<s->grid, s->block, 0, s->stream>>>(op, m, ((const struct question *)s)->offsets);
    }
};

extern const struct variant variant_ragged_warp = {
    .name = "ragged_warp",
    .what = "rows of different lengths; a warp for each",
    .launch = launch_by_operator<warp_a_ragged_row>,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &ragged_task,
};
