/*
 * sum_exact.cu: sum_f32_exact(). The kernels are step 13's `doubles`, launched as those of
 * sum_f32() are: one block, one cluster or many blocks, each of which may begin before the kernel
 * in front of it has ended.
 */
#include "13_exact/window.h"
#include "kernels.h"
#include "launch.h"
#include "sum_exact.h"
#include "workspace.h"

static_assert((int)EXACT_THREADS == (int)MOST_THREADS, "the plan's blocks are those of exact.h");

enum {
    FEW = 4, /* float4 for each thread of one block, or of one cluster */
    CLUSTER_WORDS = (int)PARTIAL_WORDS * (int)CLUSTER_BLOCKS * (int)EXACT_THREADS / 32
};

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
static __global__ void __launch_bounds__(MOST_THREADS)
    exact_one_block(const float *in, unsigned n, float *out)
{
    accumulators a = shared_accumulators();
    word *limb = shared_limbs();
    wait_for_floats(in, n, FEW);
    unsigned place;
    struct partial p = exact_thread_sum<FEW, 4 * FEW>(a, limb, in, n, &place);
    let_next_begin();
    const struct exact_slots none = {}; /* one block asks nobody */
    finish_exactly(limb, p, place, n, none, 0, out);
}

/* As a grid, but slots and limbs are in the shared memory of the cluster's first block, and each
   warp has a slot: no block adds up its own warps. To wait for the slots takes less time than a
   barrier in front of the sum, which comes behind it now. */
static __global__ void __launch_bounds__(MOST_THREADS)
    exact_one_cluster(const float *in, unsigned n, float *out)
{
#ifdef HOPPER_CODE
    __shared__ word slots[CLUSTER_WORDS];
    cg::cluster_group cluster = cg::this_cluster();
    unsigned warps = blockDim.x / 32, lane = threadIdx.x % 32;
    unsigned mine = cluster.block_rank() * warps + threadIdx.x / 32;
    for (unsigned i = threadIdx.x; i < CLUSTER_WORDS; i += blockDim.x)
        slots[i] = 0;
    accumulators a = shared_accumulators();
    word *limb = cluster.map_shared_rank(shared_limbs(), 0);
    word *slot = cluster.map_shared_rank(slots, 0) + mine * PARTIAL_WORDS;
    cluster.barrier_arrive();
    wait_for_floats(in, n, FEW);
    unsigned place;
    struct partial p = exact_thread_sum<FEW, 4 * FEW, 0, true>(a, limb, in, n, &place);
    let_next_begin();
    p = warp_partial(p);
    if (p.flags & (IN_LIMBS | FAR_BELOW)) {
        __syncwarp(); /* behind the atomics of all lanes */
        __threadfence();
    }
    if (lane < PARTIAL_WORDS)
        atomicExch(&slot[lane], partial_word(p, 1, lane));
    if (cluster.block_rank() == 0 && threadIdx.x < 32) {
        struct partial sum = {};
        for (unsigned first = 0; first < cluster.num_blocks() * warps; first += 32) {
            unsigned i = first + lane;
            const volatile word *from = &slots[PARTIAL_WORDS * i];
            sum = add(sum, collect_partial(from, i < cluster.num_blocks() * warps, 1));
        }
        p = warp_partial(sum);
        if (limbs_matter(p, place, n)) {
            p.flags |= IN_LIMBS;
            __threadfence();
            __syncwarp();
        }
        if (threadIdx.x == 0)
            *out = rounded(p, place, n, limb);
    }
    __cluster_barrier_arrive_relaxed(); /* no fence: who needs what was written has seen it */
    if (cluster.block_rank() == 0)
        cluster.barrier_wait(); /* nobody writes here any more: so the block may end */
#endif
}

template <int LOADS, int COUNT>
static __global__ void __launch_bounds__(MOST_THREADS, EXACT_BLOCKS_PER_SM)
    exact_many_blocks(const float *in, size_t n, float *out, struct exact_slots slots)
{
    accumulators a = shared_accumulators();
    word *limb = shared_limbs();
    wait_for_floats(in, n, LOADS);
    unsigned epoch = next_epoch(slots.slots);
    unsigned place;
    struct partial p =
        exact_thread_sum<LOADS, COUNT, (LOADS < 8 ? 0 : EXACT_THREADS)>(a, limb, in, n, &place);
    /* What the next kernel asks for ahead, if it fills the GPU, delays the slots of this one. */
    const bool small_grid = blockDim.x < EXACT_THREADS;
    if (small_grid)
        let_next_begin();
    p = block_partial(p);
    give_sum(p, limb, slots, epoch);
    if (!small_grid)
        let_next_begin();
    if (blockIdx.x > 0)
        return;
    p = take_sums(limb, place, n, slots, epoch);
    if (threadIdx.x == 0)
        *out = rounded(p, place, n, limb);
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
    struct sum_f32_plan plan = sum_exact_plan(n, sms, hopper);
    status = check(&plan, sms, in, n, out, workspace);
    if (status != SUM_F32_OK)
        return status;
    if (plan.kind != MANY_BLOCKS)
        return launch(&plan, hopper, stream,
                      plan.kind == ONE_BLOCK ? exact_one_block : exact_one_cluster, in, (unsigned)n,
                      out);
    char *memory = (char *)workspace->memory + bytes_of_slots(sms);
    struct exact_slots slots = exact_slots_in(memory, exact_words(sms));
    return launch(&plan, hopper, stream,
                  plan.loads == 2   ? exact_many_blocks<2, 8>
                  : plan.loads == 4 ? exact_many_blocks<4, 16>
                  : plan.loads == 8 ? exact_many_blocks<8, 32>
                                    : exact_many_blocks<16, 32>,
                  in, n, out, slots);
}
