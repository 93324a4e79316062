/*
 * compact_warp_atomic: compaction with one element a thread, and one atomic a warp.
 *
 * New:     against compact_atomic.cu: a warp's lanes want to add to one counter, each wants a place
 *          of its own. They elect one, and it adds for all of them (a warp-aggregated atomic).
 * Why:     atomics on one address are done one after another: one for each warp, not for each
 *          kept element.
 * Look at: the atomics: ./compact -v 'compact*atomic' -n 64K --counters
 */
#include "compact.h"

/* The lowest lane that keeps something is elected, adds for all, and tells the others where their
   places begin. */
static __global__ void compact_warp_atomic(const float *in, size_t n, float *out, unsigned *number)
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

static void launch(struct sum *s)
{
    unsigned *number = zeroed_number(s);
    s->grid = blocks_for(s->n, s->block);
    compact_warp_atomic<<<s->grid, s->block, 0, s->stream>>>(s->in, s->n, s->out, number);
    CUDA_CHECK(cudaGetLastError());
}

/* What a warp keeps stands in the order of the input. */
static void check(const struct answer *answer, struct verdict *verdict)
{
    check_compaction(answer, verdict, 32);
}

static const struct task task = {
    .name = "compact",
    .words = compact_words,
    .check = check,
    .written = compact_written,
    .max_n = UINT32_MAX, /* counted in 32 bits */
};

extern const struct variant variant_compact_warp_atomic = {
    .name = "compact_warp_atomic",
    .what = "one atomic for each warp, by the lane that is elected",
    .launch = launch,
    .per_thread = 1,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &task,
};
