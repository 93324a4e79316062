/*
 * row_lanes: a few lanes for each row, so that a warp has many rows.
 *
 * New:     against row_warp.cu: 1, 2, 4 ... 32 lanes share a row, as many as have four floats each,
 *          and the merges stop after as many lanes. Four rows are in flight for each of them.
 * Why:     of a row of 8 floats 32 lanes would have nothing to do but two, and five shuffles for
 *          one addition.
 * Look at: ./step16 -v row_warp,row_lanes --row 3,8,32,128
 */
#include "matrix.h"

#define ROWS_AT_ONCE 4 /* of some lanes */

/* The next four floats of a lane, from number i on: side by side if it can load 16 bytes at once,
   else `lanes` apart. Beyond the row they are not touched. */
template <bool BY_FOUR>
static inline __device__ void load_four(float x[4], const float *row, size_t n, size_t i,
                                        unsigned lanes)
{
    if (BY_FOUR && i < n) {
        float4 v = *(const float4 *)(row + i);
        x[0] = v.x, x[1] = v.y, x[2] = v.z, x[3] = v.w;
    }
#pragma unroll
    for (int k = 0; k < 4 && !BY_FOUR; k++)
        if (i + k * lanes < n)
            x[k] = row[i + k * lanes];
}

template <bool BY_FOUR, class OP>
static __global__ void reduce_rows(OP op, struct matrix m, unsigned lanes)
{
    unsigned lane = threadIdx.x % lanes, apart = BY_FOUR ? 1 : lanes, rows = 32 / lanes;
    size_t warp = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) / 32,
           warps = (size_t)gridDim.x * blockDim.x / 32;

    for (size_t first = warp * rows * ROWS_AT_ONCE; first < m.rows;
         first += warps * rows * ROWS_AT_ONCE) {
        size_t mine = first + threadIdx.x % 32 / lanes; /* and every rows-th after it */
        typename OP::state s[ROWS_AT_ONCE];
#pragma unroll
        for (int q = 0; q < ROWS_AT_ONCE; q++)
            s[q] = op.none();
        for (size_t i = BY_FOUR ? 4 * lane : lane; i < m.row; i += 4 * lanes) {
            float x[ROWS_AT_ONCE][4];
#pragma unroll
            for (int q = 0; q < ROWS_AT_ONCE; q++)
                if (mine + q * rows < m.rows)
                    load_four<BY_FOUR>(x[q], m.in + (mine + q * rows) * m.lead, m.row, i, lanes);
#pragma unroll
            for (int q = 0; q < ROWS_AT_ONCE; q++)
#pragma unroll
                for (int k = 0; k < 4; k++)
                    if (mine + q * rows < m.rows && i + k * apart < m.row)
                        s[q] = op.add(s[q], x[q][k], i + k * apart);
        }
#pragma unroll
        for (int q = 0; q < ROWS_AT_ONCE; q++) {
            for (unsigned offset = lanes / 2; offset > 0; offset /= 2)
                s[q] = op.merge(s[q], shuffle_down(s[q], offset));
            if (lane == 0 && mine + q * rows < m.rows)
                op.answer(s[q], m.out + (mine + q * rows) * m.words);
        }
    }
}

/* The least power of two of lanes that have a row in one go, 32 at most. */
static unsigned lanes_for(size_t row)
{
    unsigned lanes = 1;
    while (lanes < 32 && 4 * lanes < row)
        lanes *= 2;
    return lanes;
}

struct lanes_a_row {
    template <bool BY_BATCH, class OP> static void launch(struct sum *s, OP op)
    {
        struct matrix m = matrix_of(s);
        unsigned lanes = lanes_for(m.row);
        bool by_four = (uintptr_t)m.in % 16 == 0 && m.lead % 4 == 0 && m.row % 4 == 0;

        s->grid = grid_for_rows(s, m.rows, s->block / lanes * ROWS_AT_ONCE);
        s->depth = (m.row + 4 * lanes - 1) / (4 * lanes) * 4 + 1 + 2 * 5;
        if (by_four)
            reduce_rows<true><<<s->grid, s->block, 0, s->stream>>>(op, m, lanes);
        else
            reduce_rows<false><<<s->grid, s->block, 0, s->stream>>>(op, m, lanes);
    }
};

extern const struct variant variant_row_lanes = {
    .name = "row_lanes",
    .what = "1 to 32 lanes for each row: many short rows in a warp",
    .launch = launch_by_operator<lanes_a_row>,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .max_block = 896, /* mean_variance has 72 registers, and an SM 65,536 */
    .task = &rows_task,
};
