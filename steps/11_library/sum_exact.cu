/*
 * sum_exact.cu: sum_f32_exact(). The kernels are step 13's `doubles`, launched as those of
 * sum_f32() are: one block, one cluster, or many, each of which may begin before the kernel in
 * front of it has ended.
 */
#include "13_exact/window.h"
#include "kernels.h"
#include "launch.h"
#include "sum_exact.h"

enum { CLUSTER = 8, WORDS_PER_SM = MOST_BLOCKS_PER_SM };
static_assert((int)EXACT_THREADS == (int)MOST_THREADS, "the plan's blocks are those of exact.h");

/* wait_for_input(), and the 32 floats that say where the window begins come to L2 meanwhile, too.
 */
static __device__ void wait_for_floats(const float *in, size_t n, unsigned loads)
{
#if defined(HOPPER_CODE) && !defined(SIMT_SIMULATOR)
    if (blockIdx.x == 0 && threadIdx.x < 32 && n > 0)
        asm volatile("prefetch.global.L2 [%0];" ::"l"(in + n / 32 * threadIdx.x));
#endif
    wait_for_input(in, n, loads);
}

static __global__ void __launch_bounds__(MOST_THREADS)
    exact_one_block(const float *in, unsigned n, float *out)
{
    accumulators a = shared_accumulators();
    wait_for_floats(in, n, 4);
    struct exact_thread t = exact_thread_sum<4>(a, in, n);
    let_next_begin();
    const struct exact_slots none = {}; /* one block asks nobody */
    finish_exactly(a, t.units, t.flags, t.low, n, none, 0, out);
}

template <int LOADS, int PER_SM>
static __global__ void __launch_bounds__(MOST_THREADS, PER_SM)
    exact_many_blocks(const float *in, size_t n, float *out, struct exact_slots slots)
{
    accumulators a = shared_accumulators();
    wait_for_floats(in, n, LOADS);
    unsigned epoch = next_epoch(slots.slots);
    struct exact_thread t = exact_thread_sum<LOADS>(a, in, n);
    let_next_begin();
    finish_exactly(a, t.units, t.flags, t.low, n, slots, epoch, out);
}

/* The blocks hand over their sums in the shared memory of the first, and their limbs, if they have
   any, in device memory: the cluster's barrier stands between. */
static __global__ void __launch_bounds__(MOST_THREADS)
    exact_one_cluster(const float *in, unsigned n, float *out, struct exact_slots slots)
{
#ifdef HOPPER_CODE
    accumulators a = shared_accumulators();
    __shared__ long long limb[LIMBS];
    __shared__ struct partial of_block[CLUSTER];
    cg::cluster_group cluster = cg::this_cluster();
    cluster.barrier_arrive();
    wait_for_floats(in, n, 4);
    struct exact_thread t = exact_thread_sum<4>(a, in, n);
    let_next_begin();

    struct partial p = block_partial(partial_of(t.units, t.flags));
    if (p.flags & IN_LIMBS) {
        block_limbs(a, t.flags & IN_LIMBS, limb);
        give_limbs(limb, slots.limb);
    }
    cluster.barrier_wait(); /* all have begun */
    if (threadIdx.x == 0)
        *cluster.map_shared_rank(&of_block[cluster.block_rank()], 0) = p;
    cluster.barrier_arrive();
    if (cluster.block_rank() > 0)
        return;
    cluster.barrier_wait();
    p = of_block[0];
    for (int k = 1; k < CLUSTER; k++)
        p = add(p, of_block[k]);
    take_limbs(p, limb, slots.limb);
    if (threadIdx.x == 0)
        *out = rounded(p, t.low, n, limb);
#endif
}

static enum sum_f32_status check(const struct sum_f32_plan *plan, unsigned sms, const float *in,
                                 size_t n, const float *out, const struct sum_f32_workspace *w)
{
    if (out == NULL || (in == NULL && n > 0) || w == NULL || w->memory == NULL)
        return SUM_F32_NULL_POINTER;
    if ((uintptr_t)in % sizeof(float) || (uintptr_t)out % sizeof(float) ||
        (uintptr_t)w->memory % sizeof(word))
        return SUM_F32_MISALIGNED;
    size_t words = plan->kind == ONE_BLOCK ? 0 : (size_t)WORDS_PER_SM * sms + LIMBS;
    return w->bytes < SLOT_BYTES(words) ? SUM_F32_SMALL_WORKSPACE : SUM_F32_OK;
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
    struct exact_slots slots = exact_slots_in(workspace->memory, WORDS_PER_SM * sms);
    if (plan.kind == ONE_BLOCK)
        return launch(&plan, hopper, stream, exact_one_block, in, (unsigned)n, out);
    if (plan.kind == ONE_CLUSTER)
        return launch(&plan, hopper, stream, exact_one_cluster, in, (unsigned)n, out, slots);
    return launch(&plan, hopper, stream,
                  plan.loads == 4 ? exact_many_blocks<4, 3> : exact_many_blocks<16, 2>, in, n, out,
                  slots);
}
