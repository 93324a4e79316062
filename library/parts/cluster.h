/*
 * cluster.h: the sum of a thread-block cluster, through distributed shared memory, and a launch in
 * clusters; steps 10 and 11.
 */
#ifndef CLUSTER_H
#define CLUSTER_H

#include "tile.h"
#include <cooperative_groups.h>
#include <stdio.h>

namespace cg = cooperative_groups;

/* Defined where the compiler makes code for a GPU with clusters, for the host or the simulator. */
#ifdef SIMT_SIMULATOR
#define HOPPER_CODE
#elif !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define HOPPER_CODE
#endif

#define MOST_RANKS 16 /* blocks of a cluster */

#ifdef HOPPER_CODE

/* Thread 0 of the cluster's block 0 gets the sum of all its blocks: each warp of each block writes
   its sum into block 0's shared memory. Every caller has arrived at the cluster's barrier
   before: that tells that block 0 has begun, for a block that has not has no shared memory. */
static inline __device__ float cluster_sum(float value)
{
    __shared__ float sums[MOST_RANKS * 32];
    cg::cluster_group cluster = cg::this_cluster();
    unsigned tid = threadIdx.x, warps = blockDim.x / 32, count = cluster.num_blocks() * warps;

    value = warp_sum(value);
    cluster.barrier_wait();
    if (tid % 32 == 0)
        cluster.map_shared_rank(sums, 0)[cluster.block_rank() * warps + tid / 32] = value;

    cluster.barrier_arrive();
    if (cluster.block_rank() > 0)
        return 0.0f; /* these need not wait: no block reads their memory, so they may end */
    cluster.barrier_wait();
    value = 0.0f;
    for (unsigned i = tid; tid < 32 && i < count; i += 32)
        value += sums[i];
    return tid < 32 ? warp_sum(value) : 0.0f;
}

#endif

/* s->grid blocks in clusters of `ranks`: an attribute, since the chevrons have no room for it. */
static inline cudaLaunchConfig_t in_clusters(const struct sum *s, unsigned ranks,
                                             cudaLaunchAttribute *cluster)
{
    cluster->id = cudaLaunchAttributeClusterDimension;
    cluster->val.clusterDim.x = ranks;
    cluster->val.clusterDim.y = cluster->val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(s->grid);
    config.blockDim = dim3(s->block);
    config.stream = s->stream;
    config.attrs = cluster;
    config.numAttrs = 1;
    return config;
}

/* 8 blocks a cluster need no leave, 16 do. */
static inline void allow_clusters(const void *kernel)
{
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
}

/* How many such clusters the GPU holds at once: 0 where one is too large for it. */
template <typename... Args>
static inline int clusters_at_once(const struct sum *s, unsigned ranks, void (*kernel)(Args...))
{
    int clusters = 0;
    cudaLaunchAttribute cluster = {};
    cudaLaunchConfig_t config = in_clusters(s, ranks, &cluster);
    allow_clusters((const void *)kernel);
    cudaError_t error = cudaOccupancyMaxActiveClusters(&clusters, kernel, &config);
    if (error == cudaErrorInvalidClusterSize) {
        cudaGetLastError(); /* it is known now */
        return 0;
    }
    CUDA_CHECK(error);
    return clusters;
}

/* For a variant's no_room: why not even one cluster has room, or NULL. */
template <typename... Args>
static inline const char *no_room_for_cluster(unsigned block, unsigned ranks,
                                              void (*kernel)(Args...))
{
    static char why[96];
    struct sum s = {};
    s.grid = ranks;
    s.block = block;
    if (clusters_at_once(&s, ranks, kernel) > 0)
        return NULL;
    snprintf(why, sizeof why, "this GPU has no room for a cluster of %u blocks of %u threads",
             ranks, block);
    return why;
}

/* Does the GPU hold two such clusters at once? Asked once for each size of a block. */
template <typename... Args>
static inline bool room_for_two_clusters(const struct sum *s, unsigned ranks,
                                         void (*kernel)(Args...))
{
    static unsigned asked_for;
    static int clusters;
    if (asked_for != s->block) {
        clusters = clusters_at_once(s, ranks, kernel);
        asked_for = s->block;
    }
    return clusters >= 2;
}

/* Launches in clusters of `ranks`. loads: float4 that a thread asks for at once. Sets s->depth, as
   far as the sums of the clusters. */
template <typename... Args>
static inline void launch_clusters(struct sum *s, unsigned ranks, size_t loads,
                                   void (*kernel)(Args...), Args... args)
{
    cudaLaunchAttribute cluster = {};
    cudaLaunchConfig_t config = in_clusters(s, ranks, &cluster);
    allow_clusters((const void *)kernel);
    CUDA_CHECK(cudaLaunchKernelEx(&config, kernel, args...));
    s->depth = tile_depth(tiles_each(s, loads), loads) + ranks; /* warp sums for each lane */
}

#endif
