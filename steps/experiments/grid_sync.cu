/*
 * Experiment grid_sync: what does one grid barrier cost, and what one more launch?
 *
 * Asks:    How does the cost of grid.sync() grow with the number of blocks?
 * How:     a sum with 1 barrier and with 17, a sum with 2 launches and with 18: a sixteenth of
 *          the difference is the cost of one. Choose n = blocks * threads, so that each thread
 *          has one element and the sum itself costs next to nothing.
 * Expect:  (written before the first run; H200)
 *          - A barrier is an atomic on one counter for each block, and a poll of it. Atomics on
 *            one address take 1.7 ns each: step 05 at 1M, in a graph, spends 12.7 us more on 7392
 *            atomics more. The way to L2 and back, twice, is about 0.7 us. So 0.7 us for 1 block,
 *            0.9 us for 132, 2.5 us for 1056.
 *          - A launch in a graph: 0.5 us with 1 block, 1 us with 1056. So in a graph a second
 *            launch is the cheaper one, and outside (about 2 us) the barrier is.
 * Run:     make grid_sync && ./grid_sync --warm -n 256,33792,270336
 */
#include "parts.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

template <int BARRIERS>
static __global__ void sum_with_barriers(const float *in, float *partial, float *out, size_t n)
{
    float sum = block_sum(thread_sum<float, 1>(in, n));
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sum;
#pragma unroll 1
    for (int i = 0; i < BARRIERS; i++)
        cg::this_grid().sync();
    if (blockIdx.x > 0)
        return;
    sum = 0.0f;
    for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x)
        sum += partial[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        *out = sum;
}

static __global__ void sum_blocks(const float *in, float *partial, size_t n)
{
    float sum = block_sum(thread_sum<float, 1>(in, n));
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sum;
}

static __global__ void nothing(void)
{
}

static void choose_grid(struct sum *s)
{
    int per_sm = 0;
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, sum_with_barriers<1>,
                                                             (int)s->block, 0));
    unsigned wanted = blocks_for(s->n, s->block), most = (unsigned)per_sm * s->sms;
    s->grid = wanted < most ? wanted : most;
    s->depth = block_depth<float, 1>(s->n, (size_t)s->grid * s->block) +
               block_depth<float, 1>(s->grid, s->block);
}

template <int BARRIERS> static void launch_barriers(struct sum *s)
{
    void *args[] = {&s->in, &s->scratch, &s->out, &s->n};
    choose_grid(s);
    CUDA_CHECK(cudaLaunchCooperativeKernel((const void *)sum_with_barriers<BARRIERS>, s->grid,
                                           s->block, args, 0, s->stream));
}

/* The launches between are empty, with as many blocks as the first. */
template <int LAUNCHES> static void launch_launches(struct sum *s)
{
    choose_grid(s);
    sum_blocks<<<s->grid, s->block, 0, s->stream>>>(s->in, s->scratch, s->n);
    CUDA_CHECK(cudaGetLastError());
    for (int i = 0; i < LAUNCHES - 2; i++) {
        nothing<<<s->grid, s->block, 0, s->stream>>>();
        CUDA_CHECK(cudaGetLastError());
    }
    sum_blocks<<<1, s->block, 0, s->stream>>>(s->scratch, s->out, s->grid);
    CUDA_CHECK(cudaGetLastError());
}

static const struct variant barriers_1 = {
    .name = "barriers_1",
    .what = "one grid barrier",
    .launch = launch_barriers<1>,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
};

static const struct variant barriers_17 = {
    .name = "barriers_17",
    .what = "16 more",
    .launch = launch_barriers<17>,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
};

static const struct variant launches_2 = {
    .name = "launches_2",
    .what = "two launches, no grid barrier",
    .launch = launch_launches<2>,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
};

static const struct variant launches_18 = {
    .name = "launches_18",
    .what = "16 more, empty ones",
    .launch = launch_launches<18>,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
};

static const struct variant *const variants[] = {
    &barriers_1, &barriers_17, &launches_2, &launches_18, NULL,
};

extern const struct lesson lesson = {
    .name = "grid_sync",
    .idea = "what a grid barrier costs, and what a launch",
    .variants = variants,
};
