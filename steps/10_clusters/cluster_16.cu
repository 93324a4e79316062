/*
 * cluster_16: one cluster of 16 blocks is the whole grid.
 *
 * New:     against cluster_8.cu: twice as many blocks, the most that a cluster may have.
 * Why:     twice as many SMs read.
 * Look at: where that wins, and where one cluster is too small: ./step10 -n 16K,64K,256K,1M
 *          (simulator: which block waits, when a barrier is removed: the lesson's page)
 */
#include "library/parts/cluster.h" /* cluster_sum(), the idea of this step */

#define LOADS 4
#define RANKS 16

static __global__ void one_cluster(const float *in, float *out, size_t n)
{
#ifdef HOPPER_CODE /* empty in code for an older GPU, where it is never launched */
    cg::this_cluster().barrier_arrive(); /* and wait later: the loads go on meanwhile */
    float sum = cluster_sum(thread_sum<LOADS>(in, n));
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *out = sum;
#endif
}

static void launch(struct sum *s)
{
    s->grid = RANKS;
    launch_clusters(s, RANKS, LOADS, one_cluster, (const float *)s->in, s->out, s->n);
}

static const char *no_room(unsigned block)
{
    return no_room_for_cluster(block, RANKS, one_cluster);
}

extern const struct variant variant_cluster_16 = {
    .name = "cluster_16",
    .what = "one cluster of 16 blocks",
    .launch = launch,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .capability = 90,
    .no_room = no_room,
};
