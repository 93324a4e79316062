/*
 * The softmax of each row of a matrix: y = exp(x - max) / sum of exp(x - max). What the warp's
 * tools are for: the row is read once, stays in registers while its lanes agree on the maximum and
 * the sum, and is written once.
 *
 * Here:    a row for each warp, and short rows for 8 or 16 lanes of one. See softmax_block.cu for a
 *          row for each block or cluster, row.h for what they share, softmax_check.c for the check.
 * Look at: ./toolbox08 -v 'softmax*' --row 32,1K,16K
 */
#include "softmax.h"

#include "row.h"
#include "toolbox.h"

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
    softmax_kernel *kernel =
        by_four(s) ? kernel_for<true, BY_SHARED>(s->row) : kernel_for<false, BY_SHARED>(s->row);
    size_t rows = s->n / s->row, lanes = s->row <= 32 ? 8 : s->row <= 64 ? 16 : 32;

    s->grid = blocks_for(rows, s->block / lanes);
    kernel<<<s->grid, s->block, 0, s->stream>>>(s->in, rows, (unsigned)s->row, s->out);
    CUDA_CHECK(cudaGetLastError());
}

static const struct task task_of_warp = {.words = n_words,
                                         .check = check_softmax,
                                         .min_row = 32,
                                         .max_row = MOST_OF_A_WARP,
                                         .row_unit = 32},
                         task_of_block = {.words = n_words,
                                          .check = check_softmax,
                                          .min_row = 32,
                                          .max_row = MOST_OF_A_BLOCK,
                                          .row_unit = 32},
                         task_of_cluster = {.words = n_words,
                                            .check = check_softmax,
                                            .min_row = 512,
                                            .max_row = MOST_OF_A_BLOCK,
                                            .row_unit = 32};

static const struct variant variants[] = {
    {.name = "softmax_warp",
     .what = "a row for each warp, in registers; rows of 32 and 64 for 8 and 16 lanes",
     .launch = launch_by_lanes<false>,
     .block_rule = BLOCK_WHOLE_WARPS,
     .min_block = 32,
     .max_block = MOST_BLOCK,
     .task = &task_of_warp},
    {.name = "softmax_warp_shared",
     .what = "the same, but the lanes meet in shared memory",
     .launch = launch_by_lanes<true>,
     .block_rule = BLOCK_WHOLE_WARPS,
     .min_block = 32,
     .max_block = MOST_BLOCK,
     .task = &task_of_warp},
    {.name = "softmax_block",
     .what = "a row for each block; of the threads of -b as many as the row needs",
     .launch = launch_softmax_block,
     .block_rule = BLOCK_WHOLE_WARPS,
     .min_block = 32,
     .max_block = MOST_BLOCK,
     .task = &task_of_block},
    {.name = "softmax_cluster",
     .what = "a row for each cluster of 4 blocks, with threads as softmax_block",
     .launch = launch_softmax_cluster,
     .block_rule = BLOCK_WHOLE_WARPS,
     .min_block = 32,
     .why_not = "clusters need compute capability 9.0 or later",
     .max_block = MOST_BLOCK,
     .task = &task_of_cluster,
     .capability = 90},
};

const struct topic softmax_topic = TOPIC(variants);
