/*
 * The softmax of long rows: a row for each block, its warps meet in shared memory; and a row for
 * each cluster of four blocks, which meet in each other's shared memory (step 10).
 */
#include "10_clusters/cluster.h" /* HOPPER_CODE */
#include "row.h"
#include "softmax.h"

#define RANKS      4  /* blocks of a cluster */
#define MOST_FOURS 16 /* float4 of a thread: 64 registers */

/* The maximum or the sum of the block, for all its threads: each warp leaves its own, each reads
   them all. One barrier will do, as words[] is written only once. (block_sum() of step 08 gives the
   sum to thread 0, which would have to hand it out, behind a second barrier.) */
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

#ifdef HOPPER_CODE

/* The same for a cluster: each warp leaves its word with every block, so that all find all of them
   at home, behind one barrier of the cluster. */
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

/* The threads for so many floats, in whole warps: those of -b if a thread has 8 to 64 of them then,
   else fewer, or more. With 4 a block is done too soon: the SM starts blocks rather than loads. */
static unsigned threads_for(size_t floats, unsigned wanted)
{
    size_t most = (floats + 7) / 8, least = (floats + 4 * MOST_FOURS - 1) / (4 * MOST_FOURS);
    size_t threads = wanted > most ? most : wanted < least ? least : wanted;
    return (unsigned)((threads + 31) / 32 * 32);
}

#define KERNEL_FOR(kernel, fours, vectors)                                                         \
    (fours) <= 1   ? kernel<1, vectors>                                                            \
    : (fours) <= 2 ? kernel<2, vectors>                                                            \
    : (fours) <= 4 ? kernel<4, vectors>                                                            \
    : (fours) <= 8 ? kernel<8, vectors>                                                            \
                   : kernel<MOST_FOURS, vectors>

void launch_softmax_block(struct sum *s)
{
    size_t rows = s->n / s->row;
    s->block = threads_for(s->row, s->block);
    s->grid = blocks_for(rows, 1);
    size_t fours = (s->row + 4 * s->block - 1) / (4 * s->block);
    softmax_kernel *kernel = by_four(s) ? KERNEL_FOR(softmax_by_block, fours, true)
                                        : KERNEL_FOR(softmax_by_block, fours, false);
    kernel<<<s->grid, s->block, 0, s->stream>>>(s->in, rows, (unsigned)s->row, s->out);
    CUDA_CHECK(cudaGetLastError());
}

void launch_softmax_cluster(struct sum *s)
{
    size_t rows = s->n / s->row, part = s->row / RANKS;
    s->block = threads_for(part, s->block);
    s->grid = RANKS * blocks_for(rows, 1);
    size_t fours = (part + 4 * s->block - 1) / (4 * s->block);
    softmax_kernel *kernel = by_four(s) ? KERNEL_FOR(softmax_by_cluster, fours, true)
                                        : KERNEL_FOR(softmax_by_cluster, fours, false);

    cudaLaunchAttribute cluster = {};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = RANKS;
    cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(s->grid);
    config.blockDim = dim3(s->block);
    config.stream = s->stream;
    config.attrs = &cluster;
    config.numAttrs = 1;
    CUDA_CHECK(
        cudaLaunchKernelEx(&config, kernel, (const float *)s->in, rows, (unsigned)s->row, s->out));
}
