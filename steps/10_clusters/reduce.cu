/*
 * Step 10: thread-block clusters, bulk copies, cache hints: what Hopper adds (sm_90 and later).
 *
 * New:     up to 16 blocks form a cluster. They run at the same time on neighbouring SMs, have a
 *          barrier of their own, and reach each other's shared memory.
 * Why:     a sum of some 32K to 128K floats is too much for one SM and too little to pay for a
 *          round trip through the L2 cache: the blocks' sums travel from SM to SM instead.
 * Look at: where that wins, and where one cluster is too small: ./step10 -n 16K,64K,256K,1M
 *          Bulk copies (bulk.cu) and cache hints (hints.cu), honestly: ./step10 -n 256M
 */
#include "09_single_pass/slots.h"
#include "cluster.h" /* cluster_sum(), the idea of this step */
#include "hopper.h"

#define LOADS 4

#ifdef HOPPER_CODE

/* One cluster is the whole grid: its sum is the sum. */
static __global__ void one_cluster(const float *in, float *out, size_t n)
{
    cg::this_cluster().barrier_arrive(); /* and wait later: the loads go on meanwhile */
    float sum = cluster_sum(thread_sum<LOADS>(in, n));
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *out = sum;
}

/* Many clusters: each has one slot (step 09), so there are fewer to wait for. */
static __global__ void many_clusters(const float *in, struct slots slots, float *out, size_t n)
{
    unsigned ranks = cg::this_cluster().num_blocks(), epoch = next_epoch(slots);
    cg::this_cluster().barrier_arrive();
    float sum = cluster_sum(thread_sum<LOADS>(in, n));
    if (blockIdx.x % ranks == 0)
        finish_in_slots(sum, blockIdx.x / ranks, gridDim.x / ranks, slots, epoch, out);
}

#else /* code for an older GPU: never launched, see need_hopper() */
static __global__ void one_cluster(const float *in, float *out, size_t n)
{
}
static __global__ void many_clusters(const float *in, struct slots slots, float *out, size_t n)
{
}
#endif

/* Launches with a cluster of so many blocks: an attribute, since the chevrons have no room for it.
   8 run on every GPU that has clusters, 16 must be asked for. */
template <typename... Args>
static void launch_clusters(struct sum *s, unsigned ranks, void (*kernel)(Args...), Args... args)
{
    cudaLaunchAttribute cluster = {};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = ranks;
    cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(s->grid);
    config.blockDim = dim3(s->block);
    config.stream = s->stream;
    config.attrs = &cluster;
    config.numAttrs = 1;

    need_hopper();
    CUDA_CHECK(cudaFuncSetAttribute((const void *)kernel,
                                    cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    CUDA_CHECK(cudaLaunchKernelEx(&config, kernel, args...));
    s->depth = tile_depth(tiles_each(s, LOADS), LOADS) + ranks; /* warp sums for each lane */
}

template <int RANKS> static void launch_one(struct sum *s)
{
    s->grid = RANKS;
    launch_clusters(s, RANKS, one_cluster, (const float *)s->in, s->out, s->n);
}

static void launch_many(struct sum *s)
{
    struct slots slots = lesson_slots(s);
    s->grid = (tile_grid(s, LOADS) + 7) / 8 * 8; /* whole clusters */
    launch_clusters(s, 8, many_clusters, (const float *)s->in, slots, s->out, s->n);
    s->depth += blocks_for(s->grid / 8, s->block) + 5 + 5;
}

/* name, what, launcher, elements a thread sums, flags, blocks it admits, smallest block */
static const struct variant variants[] = {
    {"cluster_8", "one cluster of 8 blocks", launch_one<8>, 0, 0, BLOCK_WHOLE_WARPS, 32},
    {"cluster_16", "one cluster of 16 blocks", launch_one<16>, 0, 0, BLOCK_WHOLE_WARPS, 32},
    {"clusters", "many clusters of 8, a flagged slot for each", launch_many, 0, 0,
     BLOCK_WHOLE_WARPS, 32},
    {"load", "step 09's flagged_slots, to compare with", launch_load, 0, 0, BLOCK_WHOLE_WARPS, 32},
    {"load_cs", "its loads marked as streaming", launch_load_cs, 0, 0, BLOCK_WHOLE_WARPS, 32},
    {"load_no_l1", "not kept in L1", NVCC_ONLY(launch_load_no_l1), 0, 0, BLOCK_WHOLE_WARPS, 32,
     NVCC_REASON},
    {"load_evict_first", "first to leave L2", NVCC_ONLY(launch_load_evict_first), 0, 0,
     BLOCK_WHOLE_WARPS, 32, NVCC_REASON},
    {"load_256b", "L2 fetches 256 bytes at once", NVCC_ONLY(launch_load_256b), 0, 0,
     BLOCK_WHOLE_WARPS, 32, NVCC_REASON},
    {"bulk_4x8k", "bulk copies, a ring of 4 stages of 8 KB", NVCC_ONLY(launch_bulk_4x8k), 0, 0,
     BLOCK_WHOLE_WARPS, 32, NVCC_REASON},
    {"bulk_4x16k", "4 stages of 16 KB", NVCC_ONLY(launch_bulk_4x16k), 0, 0, BLOCK_WHOLE_WARPS, 32,
     NVCC_REASON},
    {"bulk_6x32k", "6 stages of 32 KB", NVCC_ONLY(launch_bulk_6x32k), 0, 0, BLOCK_WHOLE_WARPS, 32,
     NVCC_REASON},
    {"bulk_3x64k", "3 stages of 64 KB", NVCC_ONLY(launch_bulk_3x64k), 0, 0, BLOCK_WHOLE_WARPS, 32,
     NVCC_REASON},
};

int main(int argc, char **argv)
{
    const struct lesson lesson = {.name = "10_clusters",
                                  .idea = "clusters, bulk copies, cache hints: what Hopper adds",
                                  .variants = variants,
                                  .variant_count = sizeof variants / sizeof variants[0]};
    return run_lesson(argc, argv, &lesson);
}
