/*
 * Warp-aggregated atomics: a warp's lanes want to add to one counter, each wants a place of its
 * own. They elect one, it adds for all of them. The question is that of compact.cu.
 *
 * Look at: ./toolbox08 -v 'compact*atomic' -n 64K     an atomic for each warp, for each kept element
 */
#include "compact.h"
#include "toolbox.h"

/* One element a thread, one atomic a warp: the lowest lane that keeps something is elected, adds
   for all, and tells the others where their places begin. */
static __global__ void compact_by_warps(const float *in, size_t n, float *out, unsigned *number)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float x = i < n ? in[i] : 0.0f;
    unsigned lane = threadIdx.x % 32, keepers = __ballot_sync(0xffffffff, x > 0);

    if (!(x > 0))
        return; /* from here on the mask names those that stay */
    unsigned leader = __ffs(keepers) - 1, first = 0;
    if (lane == leader)
        first = atomicAdd(number, __popc(keepers));
    first = __shfl_sync(keepers, first, leader);
    out[first + __popc(keepers & ((1u << lane) - 1))] = x;
}

/* One atomic for each kept element. */
static __global__ void compact_by_atomics(const float *in, size_t n, float *out, unsigned *number)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] > 0)
        out[atomicAdd(number, 1)] = in[i];
}

typedef void kernel_fn(const float *in, size_t n, float *out, unsigned *number);

static void launch(struct sum *s, kernel_fn *kernel)
{
    unsigned *number = zeroed_number(s);
    s->grid = blocks_for(s->n, s->block);
    kernel<<<s->grid, s->block, 0, s->stream>>>(s->in, s->n, s->out, number);
    CUDA_CHECK(cudaGetLastError());
}

static void launch_by_warps(struct sum *s)
{
    launch(s, compact_by_warps);
}

static void launch_by_atomics(struct sum *s)
{
    launch(s, compact_by_atomics);
}

static void check_warps(const struct answer *answer, struct verdict *verdict)
{
    check_compaction(answer, verdict, 32);
}

static void check_any_order(const struct answer *answer, struct verdict *verdict)
{
    check_compaction(answer, verdict, 1);
}

static const struct task by_warps = {.words = compact_words,
                                     .check = check_warps,
                                     .written = compact_written,
                                     .max_n = UINT32_MAX}; /* counted in 32 bits */
static const struct task in_any_order = {.words = compact_words,
                                         .check = check_any_order,
                                         .written = compact_written,
                                         .max_n = UINT32_MAX}; /* counted in 32 bits */

static const struct variant variants[] = {
    {.name = "compact_warp_atomic",
     .what = "one atomic for each warp, by the lane that is elected",
     .launch = launch_by_warps,
     .per_thread = 1,
     .block_rule = BLOCK_WHOLE_WARPS,
     .min_block = 32,
     .task = &by_warps},
    {.name = "compact_atomic",
     .what = "one atomic for each kept element, as written",
     .launch = launch_by_atomics,
     .per_thread = 1,
     .task = &in_any_order},
};

const struct topic aggregate_topic = TOPIC(variants);
