/*
 * clusters: many clusters of 8 blocks, a flagged slot for each.
 *
 * New:     against cluster_8.cu: as many clusters as the array has tiles for; each has one slot
 *          (step 09), so there are fewer to wait for.
 * Why:     one cluster is at most 16 of the GPU's SMs.
 * Look at: ./step10 -n 64K,1M,16M,256M (simulator: --counters; a slot for each cluster)
 */
#include "library/parts/cluster.h" /* cluster_sum(), the idea of this step */
#include "library/parts/slots.h"

#define LOADS 4
#define RANKS 8

static __global__ void many_clusters(const float *in, struct slots slots, float *out, size_t n)
{
#ifdef HOPPER_CODE /* empty in code for an older GPU, where it is never launched */
    unsigned ranks = cg::this_cluster().num_blocks(), epoch = next_epoch(slots);
    cg::this_cluster().barrier_arrive(); /* and wait later: the loads go on meanwhile */
    float sum = cluster_sum(thread_sum<LOADS>(in, n));
    if (blockIdx.x % ranks == 0)
        finish_in_slots(sum, blockIdx.x / ranks, gridDim.x / ranks, slots, epoch, out);
#endif
}

static void launch(struct sum *s)
{
    struct slots slots = lesson_slots(s);
    s->grid = (tile_grid(s, LOADS) + RANKS - 1) / RANKS * RANKS; /* whole clusters */
    if (!room_for_two_clusters(s, RANKS, many_clusters))
        s->grid = RANKS; /* the first waits for the others, and keeps its place (waiting.h) */
    launch_clusters(s, RANKS, LOADS, many_clusters, (const float *)s->in, slots, s->out, s->n);
    s->depth += blocks_for(s->grid / RANKS, s->block) + 5 + 5;
}

static const char *no_room(unsigned block)
{
    return no_room_for_cluster(block, RANKS, many_clusters);
}

extern const struct variant variant_clusters = {
    .name = "clusters",
    .what = "many clusters of 8, a flagged slot for each",
    .launch = launch,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .capability = 90,
    .no_room = no_room,
};
