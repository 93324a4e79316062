/*
 * softmax_cluster: a row for each cluster of four blocks.
 *
 * New:     against softmax_block.cu: four blocks share a row, and meet in each other's shared
 *          memory (step 10).
 * Why:     four SMs have four times as many registers, and more bytes in flight for one row.
 * Look at: whether long rows gain: ./softmax --row 512,4K,16K
 */
#include "library/parts/cluster.h" /* HOPPER_CODE, launch_clusters() */
#include "row.h"
#include "softmax.h"

#define RANKS 4 /* blocks of a cluster */

#ifdef HOPPER_CODE

/* As of_block() in softmax_block.cu, for a cluster: each warp leaves its word with every block, so
   that all find all of them at home, after one barrier of the cluster. */
template <enum what WHAT> static __device__ float of_cluster(float value, float words[RANKS * 32])
{
    cg::cluster_group cluster = cg::this_cluster();
    unsigned warps = blockDim.x / 32, lane = threadIdx.x % 32;

    value = of_lanes<WHAT, 32, false>(value);
    if (lane < RANKS)
        cluster.map_shared_rank(words, lane)[cluster.block_rank() * warps + threadIdx.x / 32] =
            value;
    cluster.sync();
    return of_words<WHAT>(words, RANKS * warps);
}

template <int FOURS, bool BY_FOUR>
static __global__ void __launch_bounds__(MOST_BLOCK)
    softmax_by_cluster(const float *in, size_t rows, unsigned row, float *out)
{
    __shared__ float maxima[RANKS * 32], sums[RANKS * 32];
    float x[4 * FOURS];
    unsigned part = row / RANKS;
    size_t first = (size_t)blockIdx.x * part;

    if (blockIdx.x / RANKS >= rows)
        return; /* the whole cluster */

    cg::this_cluster().barrier_arrive(); /* and wait later: the loads go on meanwhile */
    load_part<FOURS, BY_FOUR>(x, in + first, part, threadIdx.x, blockDim.x);
    float max = max_of_part<FOURS>(x);
    cg::this_cluster().barrier_wait();
    max = of_cluster<MAXIMUM>(max, maxima);
    float sum = of_cluster<SUM>(exp_of_part<FOURS>(x, max), sums); /* from here all stay at home */
    store_part<FOURS, BY_FOUR>(out + first, x, 1.0f / sum, part, threadIdx.x, blockDim.x);
}

#else /* code for an older GPU: never launched, the driver knows that it needs more */
template <int FOURS, bool BY_FOUR>
static __global__ void softmax_by_cluster(const float *in, size_t rows, unsigned row, float *out)
{
}
#endif

/* A thread's part must have a constant size: a kernel for each. */
template <bool BY_FOUR> static softmax_kernel *kernel_for(size_t fours)
{
    return fours <= 1   ? softmax_by_cluster<1, BY_FOUR>
           : fours <= 2 ? softmax_by_cluster<2, BY_FOUR>
           : fours <= 4 ? softmax_by_cluster<4, BY_FOUR>
           : fours <= 8 ? softmax_by_cluster<8, BY_FOUR>
                        : softmax_by_cluster<MOST_FOURS, BY_FOUR>;
}

static void launch(struct sum *s)
{
    size_t row = row_of(s), rows = s->n / row, part = row / RANKS;
    s->block = threads_for(part, s->block);
    s->grid = RANKS * blocks_for(rows, 1);
    size_t fours = vectors_for(part, s->block);
    softmax_kernel *kernel = by_four(s) ? kernel_for<true>(fours) : kernel_for<false>(fours);
    launch_clusters(s, RANKS, fours, kernel, (const float *)s->in, rows, (unsigned)row, s->out);
}

static const struct task task = {
    .name = "softmax",
    .words = n_words,
    .check = check_softmax,
    .min_row = 512,
    .max_row = MOST_OF_A_BLOCK,
    .row_unit = 32,
};

extern const struct variant variant_softmax_cluster = {
    .name = "softmax_cluster",
    .what = "a row for each cluster of 4 blocks, with threads as softmax_block",
    .launch = launch,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .max_block = MOST_BLOCK,
    .capability = 90,
    .task = &task,
};
