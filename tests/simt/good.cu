/* good.cu: kernels that are right on every GPU, and what CUDA allows, though a checker may well
 * take it for a mistake. Each must run without a word under every schedule, and leave what its line
 * says. Without an argument all run.
 * run: SIMT_STRICT=1 SIMT_SCHEDULE=0..1
 */
#define ALL_AT_ONCE true
#include "kernels.h"
#include <cooperative_groups.h>
#include <cstdlib>
#include <cuda_fp16.h>
namespace cg = cooperative_groups;
#define FULL 0xffffffffu
#undef KERNEL
#define KERNEL(NAME, GRID, BLOCK, RIGHT, ...) LAUNCHED(NAME, GRID, BLOCK, int, RIGHT, __VA_ARGS__)

/* ---- a flag between the blocks of a cluster ---- */

/* A thread that has seen the flag was there when it was written: no barrier comes after it. */
KERNEL(flag_in_a_cluster, 2, 1, t > 1 || host[t] == 1, __cluster_dims__(2)) {
    __shared__ int flag;
    cg::cluster_group cluster = cg::this_cluster();
    flag = 0;
    cluster.sync();
    if (cluster.block_rank() == 1) atomicExch(cluster.map_shared_rank(&flag, 0), 7);
    else
        while (*(volatile int *)&flag != 7) ;
    data[cluster.block_rank()] = 1;
}

/* ---- masks that name lanes which have returned, or which the block does not have ---- */

KERNEL(ballot_after_return, 1, 64, host[t] == (t < 32 ? 16 : t < 40 ? 4 : 0)) {
    if (threadIdx.x >= 40) return;
    data[threadIdx.x] = __popc(__ballot_sync(FULL, threadIdx.x % 2));
}

KERNEL(votes, 1, 32, (unsigned)host[0] == 0x49249249 && host[33] == 0x22222222 && host[64] == 496 && host[96] == 1 && host[128] == 16) {
    unsigned lane = threadIdx.x;
    data[lane] = (int)__ballot_sync(FULL, lane % 3 == 0);
    data[32 + lane] = (int)__match_any_sync(FULL, lane % 4);
    data[64 + lane] = (int)__reduce_add_sync(FULL, lane);
    data[96 + lane] = __all_sync(FULL, lane < 32) + 2 * __any_sync(FULL, lane == 40);
    data[128 + lane] = __syncthreads_count(lane % 2);
}

/* The two halves of a warp, each with its own mask, at the same time. */
KERNEL(halves, 1, 32, host[0] == 120 && host[16] == 376) {
    unsigned mask = threadIdx.x < 16 ? 0x0000ffff : 0xffff0000;
    int v = (int)threadIdx.x;
    for (int offset = 8; offset > 0; offset /= 2) v += __shfl_down_sync(mask, v, offset, 16);
    data[threadIdx.x] = v;
}

/* ---- what is refused ---- */

CASE(launches_that_cannot_be) {
    auto launch = [](unsigned grid, unsigned block, size_t shared) { return votes<<<grid, block, shared>>>(device, other), cudaGetLastError(); };
    CHECK(launch(1, 1025, 0) == cudaErrorInvalidConfiguration);
    CHECK(launch(0, 32, 0) == cudaErrorInvalidConfiguration);
    CHECK(launch(1, 32, 300000) == cudaErrorInvalidValue);
    CHECK(launch(1, 32, 50000) == cudaErrorInvalidValue); /* not asked for */
    cudaFuncSetAttribute(votes, cudaFuncAttributeMaxDynamicSharedMemorySize, 50000);
    CHECK(launch(1, 32, 50000) == cudaSuccess);
}
CASE(memory_that_is_not_there) {
    void *huge;
    CHECK(cudaMalloc(&huge, (size_t)1 << 45) == cudaErrorMemoryAllocation && !huge);
    CHECK(cudaMemcpy(host, device, sizeof host + 1, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
    CHECK(cudaFree(host) == cudaErrorInvalidValue);
    CHECK(cudaMalloc(&huge, 4) == cudaSuccess && cudaFree(huge) == cudaSuccess && cudaFree(nullptr) == cudaSuccess);
}
