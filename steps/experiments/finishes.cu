/*
 * Experiment finishes: when does a grid barrier pay?
 *
 * Asks:    Source 003 found its grid barrier slower than an atomic for each block at 1M elements,
 *          and by far the best of all at 16M. Is that so, and at which n?
 * How:     the three finishes of steps 05, 06 and 07 after one and the same loop, with one and
 *          the same grid. Twice: after the sources' loop (one 4-byte load at a time), and after
 *          one that keeps the memory busy (four 16-byte loads at once).
 * Expect:  (written before the first run; H200)
 *          - The finishes differ by a constant number of microseconds, whatever n: a second
 *            launch, or a barrier. So at 16M they are within 4 us of each other, at 256M within
 *            1 %, and never is one of them the best by far.
 *          - Launched alone: atomic is the fastest, by 2 us (steps 05 to 07 at 16M: 31.8, 35.3,
 *            34.0 us), since zeroing one float costs less than a second kernel or a barrier.
 *          - In a graph a launch costs half of that, and grid_sync loses to two_pass.
 *          - The wide loop is 1.7 times as fast at 256M, whichever the finish.
 * Run:     make finishes && ./finishes -n 64K,1M,16M,256M
 */
#include "parts.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

/* The two loops. */
#define NARROW float, 1
#define WIDE   float4, 4

template <typename V, int FLIGHT>
static __global__ void atomic_finish(const float *in, float *out, size_t n)
{
    float sum = block_sum(thread_sum<V, FLIGHT>(in, n));
    if (threadIdx.x == 0)
        atomicAdd(out, sum);
}

template <typename V, int FLIGHT>
static __global__ void sum_blocks(const float *in, float *partial, size_t n)
{
    float sum = block_sum(thread_sum<V, FLIGHT>(in, n));
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sum;
}

template <typename V, int FLIGHT>
static __global__ void barrier_finish(const float *in, float *partial, float *out, size_t n)
{
    float sum = block_sum(thread_sum<V, FLIGHT>(in, n));
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sum;
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

/* One grid for all three: as many blocks of the kernel with the barrier as the GPU holds at
   once, and no more than the elements need. Sets the depth of the blocks' sums, too. */
template <typename V, int FLIGHT> static void choose_grid(struct sum *s)
{
    int per_sm = 0;
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, (barrier_finish<V, FLIGHT>),
                                                             (int)s->block, 0));
    unsigned wanted = blocks_for(s->n, s->block * FLIGHT * (sizeof(V) / sizeof(float)));
    unsigned most = (unsigned)per_sm * s->sms;
    s->grid = wanted < most ? wanted : most;
    s->depth = block_depth<V, FLIGHT>(s->n, (size_t)s->grid * s->block);
}

template <typename V, int FLIGHT> static void launch_atomic(struct sum *s)
{
    choose_grid<V, FLIGHT>(s);
    CUDA_CHECK(cudaMemsetAsync(s->out, 0, sizeof(float), s->stream));
    atomic_finish<V, FLIGHT><<<s->grid, s->block, 0, s->stream>>>(s->in, s->out, s->n);
    CUDA_CHECK(cudaGetLastError());
    s->depth += s->grid;
}

template <typename V, int FLIGHT> static void launch_two_pass(struct sum *s)
{
    choose_grid<V, FLIGHT>(s);
    sum_blocks<V, FLIGHT><<<s->grid, s->block, 0, s->stream>>>(s->in, s->scratch, s->n);
    CUDA_CHECK(cudaGetLastError());
    sum_blocks<NARROW><<<1, s->block, 0, s->stream>>>(s->scratch, s->out, s->grid);
    CUDA_CHECK(cudaGetLastError());
    s->depth += block_depth<NARROW>(s->grid, s->block);
}

template <typename V, int FLIGHT> static void launch_grid_sync(struct sum *s)
{
    void *args[] = {&s->in, &s->scratch, &s->out, &s->n};
    choose_grid<V, FLIGHT>(s);
    CUDA_CHECK(cudaLaunchCooperativeKernel((const void *)barrier_finish<V, FLIGHT>, s->grid,
                                           s->block, args, 0, s->stream));
    s->depth += block_depth<NARROW>(s->grid, s->block);
}

static const struct variant narrow_atomic = {
    .name = "narrow_atomic",
    .what = "one 4-byte load at a time; an atomic for each block",
    .launch = launch_atomic<NARROW>,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
};

static const struct variant narrow_two_pass = {
    .name = "narrow_two_pass",
    .what = "the same loop; a second launch",
    .launch = launch_two_pass<NARROW>,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
};

static const struct variant narrow_grid_sync = {
    .name = "narrow_grid_sync",
    .what = "the same loop; a grid barrier",
    .launch = launch_grid_sync<NARROW>,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
};

static const struct variant wide_atomic = {
    .name = "wide_atomic",
    .what = "four 16-byte loads at once; an atomic for each block",
    .launch = launch_atomic<WIDE>,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
};

static const struct variant wide_two_pass = {
    .name = "wide_two_pass",
    .what = "the same loop; a second launch",
    .launch = launch_two_pass<WIDE>,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
};

static const struct variant wide_grid_sync = {
    .name = "wide_grid_sync",
    .what = "the same loop; a grid barrier",
    .launch = launch_grid_sync<WIDE>,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
};

static const struct variant *const variants[] = {
    &narrow_atomic, &narrow_two_pass, &narrow_grid_sync,
    &wide_atomic,   &wide_two_pass,   &wide_grid_sync,
    NULL,
};

extern const struct lesson lesson = {
    .name = "finishes",
    .idea = "atomics, a second launch, a grid barrier: when which?",
    .variants = variants,
};
