/*
 * softmax_lanes.h: the kernel of softmax_warp.cu and softmax_warp_shared.cu. A warp takes a row, or
 * 8 or 16 of its lanes take a short one.
 */
#ifndef SOFTMAX_LANES_H
#define SOFTMAX_LANES_H

#include "row.h"
#include "softmax.h"

/* LANES of a warp share a row. Some of them may have none left, but all go on: the shuffles name
   every lane of the warp. */
template <int LANES, int FOURS, bool BY_FOUR, bool BY_SHARED>
static __global__ void __launch_bounds__(MOST_BLOCK)
    softmax_by_lanes(const float *in, size_t rows, unsigned row, float *out)
{
    float x[4 * FOURS];
    size_t number = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) / LANES;
    unsigned lane = threadIdx.x % LANES, floats = number < rows ? row : 0;

    load_part<FOURS, BY_FOUR>(x, in + number * row, floats, lane, LANES);
    float max = of_lanes<MAXIMUM, LANES, BY_SHARED>(max_of_part<FOURS>(x));
    float sum = of_lanes<SUM, LANES, BY_SHARED>(exp_of_part<FOURS>(x, max));
    store_part<FOURS, BY_FOUR>(out + number * row, x, 1.0f / sum, floats, lane, LANES);
}

/* One kernel for each number of registers: a lane's part must have a constant size. */
template <bool BY_FOUR, bool BY_SHARED> static softmax_kernel *kernel_for(size_t row)
{
    return row <= 32     ? softmax_by_lanes<8, 1, BY_FOUR, BY_SHARED>
           : row <= 64   ? softmax_by_lanes<16, 1, BY_FOUR, BY_SHARED>
           : row <= 128  ? softmax_by_lanes<32, 1, BY_FOUR, BY_SHARED>
           : row <= 256  ? softmax_by_lanes<32, 2, BY_FOUR, BY_SHARED>
           : row <= 512  ? softmax_by_lanes<32, 4, BY_FOUR, BY_SHARED>
           : row <= 1024 ? softmax_by_lanes<32, 8, BY_FOUR, BY_SHARED>
                         : softmax_by_lanes<32, 16, BY_FOUR, BY_SHARED>;
}

template <bool BY_SHARED> static void launch_by_lanes(struct sum *s)
{
    size_t row = row_of(s), rows = s->n / row, lanes = row <= 32 ? 8 : row <= 64 ? 16 : 32;
    softmax_kernel *kernel =
        by_four(s) ? kernel_for<true, BY_SHARED>(row) : kernel_for<false, BY_SHARED>(row);

    s->grid = blocks_for(rows, s->block / lanes);
    kernel<<<s->grid, s->block, 0, s->stream>>>(s->in, rows, (unsigned)row, s->out);
    CUDA_CHECK(cudaGetLastError());
}

static const struct task softmax_lanes_task = {
    .name = "softmax",
    .words = n_words,
    .check = check_softmax,
    .min_row = 32,
    .max_row = MOST_OF_A_WARP,
    .row_unit = 32,
};

#endif
