/*
 * sum_all.cu: sum_f32_all(). The kernels are those of sum_f32(), with another end: the first warp
 * of block 0, which has the sum of its GPU, hands it over to the other GPUs, or leaves it to NCCL.
 * How the GPUs found each other is in sum_all_comm.c.
 */
#include "kernels.h"
#include "launch.h"
#include "parts/peer_slots.h"
#include "sum_all_comm.h"

static_assert((int)MOST_PEERS == (int)MOST_GPUS && sizeof(word) == sizeof(uint64_t), "one memory");

/* What a kernel does with the sum of its GPU. As an argument it is __grid_constant__: of a copy
   each thread would need its own, to find the slots of its rank. */
struct ending {
    float *out;
    bool by_nccl;
    struct peers peers;
    word *host_lost; /* host memory */
    word *own;       /* the words of this GPU from EPOCH on are its own */
};

/* For thread 0 of the grid: the number of this sum, 0 if a GPU is lost already, since no sum
   waits for it twice. Loaded first: the value arrives while the numbers are read. */
static __device__ unsigned epoch_of(const struct ending *end)
{
    if (blockIdx.x > 0 || threadIdx.x > 0)
        return 0;
    unsigned epoch = next_epoch_of_peers(&end->peers);
    return *(volatile word *)end->peers.lost == 0 ? epoch : 0;
}

/* What NCCL adds up on the side: a number that the next sums do not have. A rank that is stopped
   while it waits may hand on what it has not got; then this does not come out right. */
static __device__ float mark_of(word sum_number)
{
    return 1.0f + sum_number % 4096; /* of 4096 ranks a float still has the sum */
}

static __device__ void leave_to_nccl(float sum, const struct ending *end)
{
    if (threadIdx.x > 0)
        return;
    volatile word *begun = &end->own[BEGUN];
    word number = *begun + 1;
    *(float2 *)&end->own[OWN_SUM] = make_float2(sum, mark_of(number));
    *begun = number;
}

/* After NCCL. A thread of the host that asks how far the sums are finds this one ended. */
static __global__ void take_from_nccl(word *own, unsigned ranks, float *out, word *host_lost)
{
    volatile word *ended = &own[ENDED];
    word number = own[BEGUN];
    float2 sum = *(float2 *)&own[RESULT];
    bool right = sum.y == mark_of(number) * ranks;
    *out = right ? sum.x : nanf("");
    if (!right)
        *(volatile word *)host_lost = 1;
    *ended = number;
}

/* The first warp of block 0, lane 0 with the sum of this GPU and its number. */
static __device__ void hand_over(float sum, const struct ending *end, unsigned epoch)
{
    if (end->by_nccl) {
        leave_to_nccl(sum, end);
        return;
    }
    epoch = __shfl_sync(0xffffffff, epoch, 0);
    sum = epoch > 0 ? sum_of_peers(sum, &end->peers, epoch) : nanf("");
    if (threadIdx.x > 0)
        return;
    *end->out = sum;
    if (isnan(sum))
        *(volatile word *)end->host_lost = *(volatile word *)end->peers.lost;
}

template <int LOADS>
static __global__ void __launch_bounds__(512)
    all_one_block(const float *in, unsigned n, const __grid_constant__ struct ending end)
{
    wait_for_input(in, n, LOADS);
    unsigned epoch = epoch_of(&end);
    float sum = thread_sum<LOADS>(in, n);
    trigger_next_launch();
    sum = blockDim.x == 32 ? warp_sum(sum) : block_sum(sum);
    if (threadIdx.x < 32)
        hand_over(sum, &end, epoch);
}

template <int LOADS>
static __global__ void __launch_bounds__(512)
    all_many_blocks(const float *in, size_t n, const __grid_constant__ struct ending end,
                    struct slots slots)
{
    __shared__ float of_gpu; /* of block 0, from its thread 0 */
    wait_for_input(in, n, LOADS);
    unsigned epoch = epoch_of(&end), epoch_here = 0;
    if (blockIdx.x == 0 || threadIdx.x == 0) /* no other thread publishes or waits */
        epoch_here = next_epoch(slots);
    float sum = thread_sum<LOADS>(in, n);
    trigger_next_launch();
    finish_in_slots(block_sum(sum), blockIdx.x, gridDim.x, slots, epoch_here, &of_gpu);
    if (blockIdx.x > 0 || threadIdx.x >= 32)
        return;
    __syncwarp();
    hand_over(of_gpu, &end, epoch);
}

static __global__ void __launch_bounds__(512)
    all_one_cluster(const float *in, unsigned n, const __grid_constant__ struct ending end)
{
#ifdef HOPPER_CODE
    cg::this_cluster().barrier_arrive();
    wait_for_input(in, n, 4);
    unsigned epoch = epoch_of(&end);
    float sum = thread_sum<4>(in, n);
    trigger_next_launch();
    sum = cluster_sum(sum);
    if (blockIdx.x == 0 && threadIdx.x < 32)
        hand_over(sum, &end, epoch);
#endif
}

static __global__ void handshake(const __grid_constant__ struct ending end)
{
    hand_over(1.0f + end.peers.rank, &end, epoch_of(&end));
}

static struct ending ending_of(const struct sum_all_gpu *gpu, enum sum_f32_way way, float *out)
{
    word *own = (word *)gpu->memory;
    struct ending end = {out, way == SUM_F32_BY_NCCL, {}, (word *)gpu->host_lost, own};
    end.peers.count = gpu->ranks;
    end.peers.rank = gpu->rank;
    for (unsigned r = 0; r < gpu->ranks; r++)
        end.peers.slots[r] = (word *)gpu->slots[r];
    end.peers.epoch = &own[EPOCH];
    end.peers.lost = &own[LOST];
    end.peers.timeout = gpu->timeout;
    return end;
}

static enum sum_f32_status check(const struct sum_f32_share *s)
{
    if (s->out == NULL || (s->in == NULL && s->n > 0))
        return SUM_F32_NULL_POINTER;
    if ((uintptr_t)s->in % sizeof(float) || (uintptr_t)s->out % sizeof(float))
        return SUM_F32_MISALIGNED;
    return SUM_F32_OK;
}

static enum sum_f32_status use(int device)
{
    return cudaSetDevice(device) == cudaSuccess ? SUM_F32_OK : SUM_F32_CUDA_FAILED;
}

static enum sum_f32_status queue_kernel(const struct sum_all_gpu *gpu, enum sum_f32_way way,
                                        const struct sum_f32_share *s)
{
    struct sum_f32_plan plan = sum_f32_plan(s->n, gpu->sms, gpu->hopper);
    struct ending end = ending_of(gpu, way, s->out);
    if (plan.kind == ONE_CLUSTER)
        return launch(&plan, gpu->hopper, s->stream, all_one_cluster, s->in, (unsigned)s->n, end);
    if (plan.kind == ONE_BLOCK)
        return launch(&plan, gpu->hopper, s->stream,
                      plan.loads == 4 ? all_one_block<4> : all_one_block<8>, s->in, (unsigned)s->n,
                      end);
    struct slots slots =
        slots_in(gpu->workspace.memory, (unsigned)(gpu->workspace.bytes / sizeof(word) - 1));
    return launch(&plan, gpu->hopper, s->stream,
                  plan.loads == 8 ? all_many_blocks<8> : all_many_blocks<16>, s->in, s->n, end,
                  slots);
}

static enum sum_f32_status queue_nccl(const struct sum_f32_all *all,
                                      const struct sum_f32_share shares[])
{
    static const struct sum_f32_plan one_thread = {ONE_BLOCK, 4, 1, 1};
    enum sum_f32_status status = SUM_F32_OK;
    ncclResult_t result = ncclGroupStart();
    for (unsigned i = 0; i < all->count && result == ncclSuccess; i++)
        result = ncclAllReduce(&all->gpu[i].memory[OWN_SUM], &all->gpu[i].memory[RESULT], 2,
                               ncclFloat32, ncclSum, all->gpu[i].nccl, shares[i].stream);
    ncclResult_t end = ncclGroupEnd();
    if (result != ncclSuccess || end != ncclSuccess)
        return SUM_F32_NCCL_FAILED;
    for (unsigned i = 0; i < all->count && status == SUM_F32_OK; i++) {
        const struct sum_all_gpu *gpu = &all->gpu[i];
        status = use(gpu->device);
        if (status == SUM_F32_OK)
            status = launch(&one_thread, false, shares[i].stream, take_from_nccl,
                            (word *)gpu->memory, gpu->ranks, shares[i].out, (word *)gpu->host_lost);
    }
    return status;
}

static enum sum_f32_status queue(const struct sum_f32_all *all, const struct sum_f32_share shares[])
{
    enum sum_f32_status status = SUM_F32_OK;
    for (unsigned i = 0; i < all->count && status == SUM_F32_OK; i++) {
        status = use(all->gpu[i].device);
        if (status == SUM_F32_OK)
            status = queue_kernel(&all->gpu[i], all->way, &shares[i]);
    }
    if (status == SUM_F32_OK && all->way == SUM_F32_BY_NCCL)
        status = queue_nccl(all, shares);
    return status;
}

extern "C" enum sum_f32_status sum_f32_all(struct sum_f32_all *all,
                                           const struct sum_f32_share shares[])
{
    if (all == NULL || shares == NULL)
        return SUM_F32_NULL_POINTER;
    for (unsigned i = 0; i < all->count; i++) {
        if (*all->gpu[i].host_lost != 0)
            all->dead = SUM_F32_LOST_PEER;
        enum sum_f32_status status = all->dead != SUM_F32_OK ? all->dead : check(&shares[i]);
        if (status != SUM_F32_OK)
            return status;
    }
    int device;
    if (cudaGetDevice(&device) != cudaSuccess)
        return SUM_F32_NO_DEVICE;
    if (all->way == SUM_F32_BY_NCCL)
        all->dead = sum_all_keep_up(all, shares);
    if (all->dead == SUM_F32_OK)
        all->dead = queue(all, shares);
    enum sum_f32_status back = use(device);
    return all->dead != SUM_F32_OK ? all->dead : back;
}

/* ---- what sum_all_comm.h declares ---- */

extern "C" cudaError_t sum_all_load(void)
{
    const void *kernels[] = {(const void *)all_one_block<4>,   (const void *)all_one_block<8>,
                             (const void *)all_many_blocks<8>, (const void *)all_many_blocks<16>,
                             (const void *)all_one_cluster,    (const void *)handshake,
                             (const void *)take_from_nccl};
    cudaError_t error = cudaSuccess;
    cudaFuncAttributes attributes;
    for (const void *kernel : kernels)
        if (error == cudaSuccess)
            error = cudaFuncGetAttributes(&attributes, kernel);
    return error;
}

extern "C" enum sum_f32_status sum_all_handshake(const struct sum_all_gpu *gpu)
{
    static const struct sum_f32_plan one_warp = {ONE_BLOCK, 4, 32, 1};
    return launch(&one_warp, false, gpu->stream, handshake,
                  ending_of(gpu, SUM_F32_BY_SLOTS, (float *)&gpu->memory[RESULT]));
}
