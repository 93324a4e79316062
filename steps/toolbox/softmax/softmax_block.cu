/*
 * softmax_block: a row for each block.
 *
 * New:     against softmax_warp.cu: the warps of a block meet in shared memory, twice.
 * Why:     a row of more than 2048 floats would take more than 64 registers of each lane of a warp.
 * Look at: which row length is whose: ./softmax --row 512,1K,2K,16K
 */
#include "row.h"
#include "softmax.h"

/* The maximum or the sum of the block, for all its threads: each warp leaves its own, each reads
   them all. One barrier will do, as words[] is written only once. (block_sum() of step 05 gives the
   sum to thread 0, which would have to hand it out, after a second barrier.) */
template <enum what WHAT> static __device__ float of_block(float value, float words[32])
{
    value = of_lanes<WHAT, 32, false>(value);
    if (threadIdx.x % 32 == 0)
        words[threadIdx.x / 32] = value;
    __syncthreads();
    return of_words<WHAT>(words, blockDim.x / 32);
}

template <int FOURS, bool BY_FOUR>
static __global__ void __launch_bounds__(MOST_BLOCK)
    softmax_by_block(const float *in, size_t rows, unsigned row, float *out)
{
    __shared__ float maxima[32], sums[32];
    float x[4 * FOURS];
    size_t first = (size_t)blockIdx.x * row;

    if (blockIdx.x >= rows)
        return; /* the whole block: there are no rows at all */
    load_part<FOURS, BY_FOUR>(x, in + first, row, threadIdx.x, blockDim.x);
    float max = of_block<MAXIMUM>(max_of_part<FOURS>(x), maxima);
    float sum = of_block<SUM>(exp_of_part<FOURS>(x, max), sums);
    store_part<FOURS, BY_FOUR>(out + first, x, 1.0f / sum, row, threadIdx.x, blockDim.x);
}

/* A thread's part must have a constant size: a kernel for each. */
template <bool BY_FOUR> static softmax_kernel *kernel_for(size_t fours)
{
    return fours <= 1   ? softmax_by_block<1, BY_FOUR>
           : fours <= 2 ? softmax_by_block<2, BY_FOUR>
           : fours <= 4 ? softmax_by_block<4, BY_FOUR>
           : fours <= 8 ? softmax_by_block<8, BY_FOUR>
                        : softmax_by_block<MOST_FOURS, BY_FOUR>;
}

static void launch(struct sum *s)
{
    size_t row = row_of(s), rows = s->n / row;
    s->block = threads_for(row, s->block);
    s->grid = blocks_for(rows, 1);
    size_t fours = vectors_for(row, s->block);
    softmax_kernel *kernel = by_four(s) ? kernel_for<true>(fours) : kernel_for<false>(fours);
    kernel<<<s->grid, s->block, 0, s->stream>>>(s->in, rows, (unsigned)row, s->out);
    CUDA_CHECK(cudaGetLastError());
}

static const struct task task = {
    .name = "softmax",
    .words = n_words,
    .check = check_softmax,
    .min_row = 32,
    .max_row = MOST_OF_A_BLOCK,
    .row_unit = 32,
};

extern const struct variant variant_softmax_block = {
    .name = "softmax_block",
    .what = "a row for each block; of the threads of -b as many as the row needs",
    .launch = launch,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .max_block = MOST_BLOCK,
    .task = &task,
};
