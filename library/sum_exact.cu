/*
 * sum_exact.cu: sum_f32_exact(). The kernels are step 13's `doubles`, launched as those of
 * sum_f32() are: one block, one cluster or many blocks, each of which may begin before the kernel
 * in front of it has ended.
 */
#include "kernels.h"
#include "launch.h"
#include "parts/window.h"
#include "sum_exact.h"

static_assert((int)EXACT_THREADS == (int)MOST_THREADS, "the plan's blocks are those of exact.h");
static_assert(EXACT_WORDS((int)EXACT_BLOCKS_PER_SM) <= (int)MOST_BLOCKS_PER_SM,
              "the workspace has room for their slots");

enum { CLUSTER_WORDS = EXACT_WORDS((int)CLUSTER_BLOCKS * (int)MOST_WARPS) };

/* wait_for_input(), and the 32 floats that say where the window begins come to L2 meanwhile, too.
 */
static __device__ void wait_for_floats(const float *in, size_t n, unsigned loads)
{
#if defined(HOPPER_CODE) && !defined(SIMT_SIMULATOR)
    if (blockIdx.x == 0 && threadIdx.x < 32 && n > 0)
        asm volatile("prefetch.global.L2 [%0];" ::"l"(in + sample_index(n)));
#endif
    wait_for_input(in, n, loads);
}

/* A batch is all that a thread asks for at once: there is nothing else to do meanwhile. */
template <int LOADS>
static __global__ void __launch_bounds__(MOST_THREADS)
    exact_one_block(const float *in, unsigned n, float *out)
{
    accumulators a = shared_accumulators();
    limbs_of_warps limbs = shared_limbs();
    wait_for_floats(in, n, LOADS);
    unsigned place, warp = threadIdx.x / 32;
    struct partial p =
        exact_thread_sum<LOADS, 4 * LOADS, 0, true, true>(a, limbs[warp], in, n, &place);
    trigger_next_launch();
    const struct warp_sums *sums = share(p, place);
    if (warp == 0)
        round_to(out, sum_of_warps(sums, place), place, n, limbs, blockDim.x / 32);
}

/* As a grid, but the slots are in the shared memory of the cluster's first block, and each warp has
   one: no block adds up its own warps. To wait for the slots takes less time than a barrier
   before the sum, which comes after it now. */
template <int LOADS>
static __global__ void __launch_bounds__(MOST_THREADS)
    exact_one_cluster(const float *in, unsigned n, float *out)
{
#ifdef HOPPER_CODE
    __shared__ word slots[CLUSTER_WORDS];
    cg::cluster_group cluster = cg::this_cluster();
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    unsigned mine = cluster.block_rank() * warps + warp, count = cluster.num_blocks() * warps;
    accumulators a = shared_accumulators();
    limbs_of_warps limbs = shared_limbs();
    if (cluster.block_rank() == 0) {
        for (unsigned i = threadIdx.x; i < EXACT_WORDS(count); i += blockDim.x)
            slots[i] = 0;
    }
    word *slot = cluster.map_shared_rank(slots, 0);
    cluster.barrier_arrive();
    wait_for_floats(in, n, LOADS);
    unsigned place;
    struct partial p =
        exact_thread_sum<LOADS, 4 * LOADS, 0, true, true>(a, limbs[warp], in, n, &place);
    trigger_next_launch();
    p = warp_partial(p, place);
    cluster.barrier_wait(); /* the slots are zero */
    if (place > 0 && lane < PARTIAL_WORDS)
        atomicExch(&slot[PARTIAL_WORDS * mine + lane], partial_word(p, 1, lane));
    if (p.flags & HAS_LIMBS) {
        __syncwarp(); /* after the atomics of all lanes */
        publish_limbs<true>(&slot[PARTIAL_WORDS * count + LIMB_WORDS * mine],
                            sum_of_limbs(limbs + warp, 1), p.flags, 1);
    }
    if (cluster.block_rank() == 0 && warp == 0) {
        struct partial sum = {};
        if (place > 0)
            sum = warp_partial(await_sums(slots, count, 32, 1), place);
        /* Limbs that do not matter must have come, too, before this block ends. */
        if (place == 0 || sum.flags & HAS_LIMBS)
            sum.flags |= warp_or(await_all_limbs(limbs[0], slots, count, 1, place, 1));
        round_to(out, sum, place, n, limbs, 1);
    }
    __cluster_barrier_arrive_relaxed(); /* no fence: all that was written has been seen */
    if (cluster.block_rank() == 0)
        cluster.barrier_wait(); /* no block writes here any more: so this one may end */
#endif
}

/* ONE_TILE: no block has more than one. */
template <int LOADS, int COUNT, bool ONE_TILE>
static __global__ void __launch_bounds__(MOST_THREADS, EXACT_BLOCKS_PER_SM)
    exact_many_blocks(const float *in, size_t n, float *out, struct slots slots)
{
    accumulators a = shared_accumulators();
    limbs_of_warps limbs = shared_limbs();
    wait_for_floats(in, n, LOADS);
    unsigned epoch = next_epoch(slots);
    unsigned place, warp = threadIdx.x / 32;
    struct partial p = exact_thread_sum<LOADS, COUNT, (LOADS < 8 ? 0 : EXACT_THREADS), ONE_TILE>(
        a, limbs[warp], in, n, &place);
    /* What the next kernel asks for ahead, if it fills the GPU, delays the slots of this one.
       Smaller blocks are only in grids that do not. */
    const bool small_grid = blockDim.x < EXACT_THREADS;
    if (small_grid)
        trigger_next_launch();
    const struct warp_sums *sums = share(p, place);
    if (warp == 0)
        publish_partial(sum_of_warps(sums, place), place, limbs, slots, epoch);
    if (!small_grid)
        trigger_next_launch();
    if (blockIdx.x > 0)
        return;
    p = await_partials(limbs, place, n, slots, epoch);
    if (warp == 0)
        round_to(out, p, place, n, limbs, blockDim.x / 32);
}

static enum sum_f32_status check(const struct sum_f32_plan *plan, unsigned sms, const float *in,
                                 size_t n, const float *out, const struct sum_f32_workspace *w)
{
    if (out == NULL || (in == NULL && n > 0) || w == NULL || w->memory == NULL)
        return SUM_F32_NULL_POINTER;
    if ((uintptr_t)in % sizeof(float) || (uintptr_t)out % sizeof(float) ||
        (uintptr_t)w->memory % sizeof(word))
        return SUM_F32_MISALIGNED;
    size_t bytes = plan->kind == MANY_BLOCKS ? bytes_of_workspace(sms) : SLOT_BYTES(0);
    return w->bytes < bytes ? SUM_F32_SMALL_WORKSPACE : SUM_F32_OK;
}

extern "C" enum sum_f32_status sum_f32_exact(const float *in, size_t n, float *out,
                                             const struct sum_f32_workspace *workspace,
                                             cudaStream_t stream)
{
    unsigned sms;
    bool hopper;
    enum sum_f32_status status = sum_f32_device(&sms, &hopper);
    if (status != SUM_F32_OK)
        return status;
    /* Of more floats than these, the limbs of a block or of all of them could overflow. */
    if (n > (sms == 1 ? (size_t)1 << 28 : (size_t)(sms < 64 ? sms : 64) << 29))
        return SUM_F32_BAD_ARGUMENT;
    struct sum_f32_plan plan = sum_exact_plan(n, sms, hopper);
    status = check(&plan, sms, in, n, out, workspace);
    if (status != SUM_F32_OK)
        return status;
    if (plan.kind == ONE_BLOCK)
        return launch(&plan, hopper, stream,
                      plan.loads == 2 ? exact_one_block<2> : exact_one_block<4>, in, (unsigned)n,
                      out);
    if (plan.kind == ONE_CLUSTER)
        return launch(&plan, hopper, stream,
                      plan.loads == 2 ? exact_one_cluster<2> : exact_one_cluster<4>, in,
                      (unsigned)n, out);
    const bool one_tile = n <= (size_t)plan.blocks * plan.threads * plan.loads * 4;
    struct slots slots =
        slots_in(workspace->memory, (unsigned)(workspace->bytes / sizeof(word) - 1));
    return launch(&plan, hopper, stream,
                  plan.loads == 2               ? exact_many_blocks<2, 8, false>
                  : plan.loads == 4 && one_tile ? exact_many_blocks<4, 16, true>
                  : plan.loads == 4             ? exact_many_blocks<4, 16, false>
                  : plan.loads == 8             ? exact_many_blocks<8, 32, false>
                                                : exact_many_blocks<16, 32, false>,
                  in, n, out, slots);
}
