/*
 * nvlink_slots: one kernel on each GPU, and no library: the GPUs write into each other's memory.
 *
 * New:     against nccl.cu: the kernel does not end with its GPU's sum. Block 0 stores it, with the
 *          epoch, into the memory of every other GPU and waits for theirs (peer_slots.h).
 * Why:     one 64-bit word over NVLink, and no second kernel: a sum of sums needs no more. All GPUs
 *          add the same numbers in the same order, and so end with the same bits.
 * Look at: ./step14 -n 1K,1M (simulator: --gpus 4, and for s in 1 2 3; do ./step14 --schedule $s;
 *          done)
 */
#include "library/kernels.h"
#include "library/launch.h"
#include "local_sum.h"
#include "peers.h"

#define PATIENCE 10000 /* milliseconds: another GPU may still be busy with something else */

/* Clusters are for Hopper and later; code for older GPUs is never launched with them. */
static __device__ void begin_cluster(enum sum_f32_kind kind)
{
#ifdef HOPPER_CODE
    if (kind == ONE_CLUSTER)
        cg::this_cluster().barrier_arrive();
#endif
}

static __device__ float sum_of_cluster(float sum)
{
#ifdef HOPPER_CODE
    sum = cluster_sum(sum);
#endif
    return sum;
}

/* The kernels of step 11 in one, as far as this GPU's sum; then what is new. */
template <int LOADS>
static __global__ void __launch_bounds__(512)
    nvlink_slots(const float *in, size_t n, float *out, enum sum_f32_kind kind, struct slots slots,
                 const __grid_constant__ struct peers peers)
{
    __shared__ float of_gpu;
    unsigned epoch = 0, epoch_of_peers = 0;

    begin_cluster(kind);
    wait_for_input(in, n, LOADS);
    if (blockIdx.x == 0 || threadIdx.x == 0) /* those that need it: all others would queue up */
        epoch = next_epoch(slots);
    if (blockIdx.x == 0 && threadIdx.x == 0)
        epoch_of_peers = next_epoch_of_peers(&peers);
    float sum = thread_sum<LOADS>(in, n);
    trigger_next_launch();
    sum = kind == ONE_CLUSTER ? sum_of_cluster(sum) : block_sum(sum);
    if (kind == MANY_BLOCKS)
        finish_in_slots(sum, blockIdx.x, gridDim.x, slots, epoch, &of_gpu);
    else if (threadIdx.x == 0)
        of_gpu = sum;

    if (blockIdx.x > 0 || threadIdx.x >= 32)
        return;
    __syncwarp();
    sum = sum_of_peers(of_gpu, &peers, epoch_of_peers);
    if (threadIdx.x == 0)
        *out = sum;
}

static struct peers *peers_of(const struct sum *s)
{
    static struct peers peers[MOST_GPUS];
    int devices[MOST_GPUS];
    for (unsigned g = 0; g < s->gpus; g++)
        devices[g] = s->shares[g].device;
    if (peers[0].count == 0)
        make_peers(devices, s->gpus, PATIENCE, peers);
    return peers;
}

static void launch(struct sum *s)
{
    const struct peers *peers = peers_of(s);
    struct sum_f32_plan plans[MOST_GPUS];
    bool hopper[MOST_GPUS]; /* code for an older GPU must not overlap: it does not wait */

    /* What may wait for a GPU comes before any kernel that waits for another GPU's. */
    for (unsigned g = 0; g < s->gpus; g++) {
        workspace_of(s, g);
        plans[g] = plan_of(s, g, &hopper[g]);
    }
    for (unsigned g = 0; g < s->gpus; g++) {
        const struct share *share = &s->shares[g];
        const struct sum_f32_workspace *w = workspace_of(s, g);
        const struct sum_f32_plan *plan = &plans[g];
        struct slots slots = slots_in(w->memory, (unsigned)(w->bytes / sizeof(word) - 1));
        must(launch(plan, hopper[g], share->stream,
                    plan->loads == 4   ? nvlink_slots<4>
                    : plan->loads == 8 ? nvlink_slots<8>
                                       : nvlink_slots<16>,
                    (const float *)share->in, share->n, share->out, plan->kind, slots, peers[g]));
    }
}

static const char *why_wrong(const struct sum *s)
{
    static char text[96];
    const struct peers *peers = peers_of(s);
    for (unsigned g = 0; g < s->gpus; g++) {
        int lost = lost_peer(peers[g]);
        if (lost < 0)
            continue;
        snprintf(text, sizeof text, "GPU %u waited %d ms, and GPU %d did not answer", g, PATIENCE,
                 lost);
        return text;
    }
    return NULL;
}

extern const struct variant variant_nvlink_slots = {
    .name = "nvlink_slots",
    .what = "block 0 of each GPU writes {epoch, sum} into the others' memory",
    .launch = launch,
    .flags = MANY_GPUS | NEEDS_PEERS,
    .why_wrong = why_wrong,
};
