/* waits.cu: waits that never end. Nothing that they read changes, or not any more.
 * run: KERNEL
 * run: SIMT_SCHEDULE=3 KERNEL((?!counts_its_rounds).*)
 * expect: deadlock: this thread (reads|loops)
 * seconds: 10
 * tier: more
 */
#include "kernels.h"
#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <thread>
namespace cg = cooperative_groups;
#define FULL 0xffffffffu
#undef KERNEL
#define KERNEL(NAME, GRID, BLOCK, ...) LAUNCHED(NAME, GRID, BLOCK, volatile int, true, __VA_ARGS__)

/* ---- what is read ---- */

KERNEL(one_word, 2, 64) { while (data[0] == 0) ; /* EXPECT one_word */ }

/* As in library/parts/exact.h. Two lanes only vote, and the first warp waits at a barrier. */
KERNEL(eleven_words_and_a_vote, 3, 256) {
    unsigned lane = threadIdx.x % 32;
    bool missing = threadIdx.x >= 32;
    while (__any_sync(FULL, missing)) { /* MAY eleven_words_and_a_vote: thread 0 */
        missing = false;
        for (unsigned i = 0; i < 11 && lane < 30; i++) missing |= data[11 * threadIdx.x + i] == 0; /* MAY eleven_words_and_a_vote: thread 0 */
    }
    __syncthreads();
}
KERNEL(many_words, 1, 1) {
    for (bool all = false; !all;) {
        all = true;
        for (int i = 0; i < 10000; i++) all &= data[i] != 0; /* EXPECT many_words */
    }
}

/* Each thread goes round after another number of words. */
KERNEL(rounds_of_all_lengths, 1, 7) {
    for (bool all = false; !all;) {
        all = true;
        for (unsigned i = 0; i <= threadIdx.x; i++) all &= data[i] != 0; /* EXPECT rounds_of_all_lengths */
    }
}
LAUNCHED(by_barriers, 2, 128, int, true) {
    __shared__ int seen;
    do {
        __syncthreads(); /* MAY by_barriers */
        if (threadIdx.x == 0) seen = *(volatile int *)data; /* MAY by_barriers */
        __syncthreads();               /* MAY by_barriers */
    } while (seen == 0);
}
KERNEL(by_shuffles, 2, 64) {
    int seen = 0;
    while (seen == 0) seen = __shfl_sync(FULL, threadIdx.x == 0 ? data[0] : 0, 0); /* EXPECT by_shuffles */
}

/* ---- how it is read ---- */

LAUNCHED(adds_zero, 1, 40, int, true) { while (atomicAdd(data, 0) == 0) ; /* EXPECT adds_zero */ }
LAUNCHED(swaps_in_vain, 1, 40, int, true) { while (atomicCAS(data, 1, 2) != 1) ; /* EXPECT swaps_in_vain */ }

/* It takes a lock twice. */
LAUNCHED(lock_of_its_own, 1, 1, int, true) {
    for (int i = 0; i < 2; i++)
        while (atomicExch(data, 1) != 0) ; /* EXPECT lock_of_its_own */
}
LAUNCHED(by_atomic_ref, 2, 32, int, true) {
    cuda::atomic_ref<int, cuda::thread_scope_device> flag(*data);
    while (flag.load(cuda::memory_order_acquire) == 0) ; /* EXPECT by_atomic_ref */
}
LAUNCHED(by_cache_operator, 1, 32, int, true) {
    while (__ldcg(data) == 0) /* MAY by_cache_operator */
        __nanosleep(20);   /* MAY by_cache_operator */
}
LAUNCHED(by_barrier_object, 1, 64, int, true) {
    __shared__ cuda::barrier<cuda::thread_scope_block> gate;
    if (threadIdx.x == 0) init(&gate, blockDim.x + 1);
    __syncthreads();
    auto token = gate.arrive();
    while (!gate.try_wait(token)) ; /* EXPECT by_barrier_object */
}

/* ---- what else is done meanwhile ---- */

KERNEL(sleeps_longer, 2, 64) {
    for (unsigned ns = 8; data[0] == 0; ns = ns < 256 ? 2 * ns : ns) /* MAY sleeps_longer */
        __nanosleep(ns);                                          /* MAY sleeps_longer */
}
KERNEL(never_too_late, 2, 64) {
    long long start = clock64();
    while (data[0] == 0 && clock64() - start < 0x7fffffffffffffff) ; /* EXPECT never_too_late */
}
KERNEL(too_late_in_no_thread, 1, 32) {
    int rounds = 0;
    long long start = clock64();
    while (data[0] == 0 && clock64() - start < 0x7fffffffffffffff) rounds++; /* EXPECT too_late_in_no_thread */
    data[1] = rounds;
}
KERNEL(counts_its_rounds, 1, 32) {
    unsigned rounds = 0;
    while (data[0] == 0) rounds++; /* EXPECT counts_its_rounds */
    data[1] = (int)rounds;
}
LAUNCHED(nothing_but_barriers, 2, 64, int, true) { for (;;) __syncthreads(); /* EXPECT nothing_but_barriers: loops and reads nothing */ }
LAUNCHED(nothing_but_votes, 1, 32, int, true) { while (__any_sync(FULL, threadIdx.x == 0)) ; /* EXPECT nothing_but_votes */ }

/* ---- who is waited for ---- */

KERNEL(warps_for_each_other, 1, 128) {
    unsigned warp = threadIdx.x / 32, warps = blockDim.x / 32;
    while (data[(warp + 1) % warps] == 0) ; /* EXPECT warps_for_each_other */
    data[warp] = 1;
}
KERNEL(blocks_for_each_other, 3, 32) {
    while (data[(blockIdx.x + 1) % gridDim.x] == 0) ; /* EXPECT blocks_for_each_other */
    data[blockIdx.x] = 1;
}

/* Each keeps its place, and there are not enough. */
KERNEL(for_a_block_without_a_place, 200, 256) {
    if (threadIdx.x == 0) data[blockIdx.x] = 1;
    while (data[gridDim.x - 1] == 0) ; /* EXPECT for_a_block_without_a_place: 168 of 200 */
}
LAUNCHED(in_a_cluster, 4, 32, int, true, __cluster_dims__(2)) {
    __shared__ int flag;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) flag = 0;
    cluster.sync();
    volatile int *other = cluster.map_shared_rank(&flag, 1 - cluster.block_rank());
    while (*other == 0) ; /* EXPECT in_a_cluster */
    cluster.sync();
}

__global__ void meet_in_a_grid(int *data) {
    while (blockIdx.x == 1 && *(volatile int *)data == 0) ; /* EXPECT grid_without_a_block */
    cg::this_grid().sync();
}

__global__ void wait_for_the_host(volatile int *data) { while (data[0] == 0) ; /* EXPECT for_the_host for_the_host_at_exit */ }
static int *managed(void) {
    int *p;
    cudaMallocManaged(&p, sizeof *p);
    *p = 0;
    return p;
}
CASE(grid_without_a_block) {
    void *arguments[] = {&device};
    cudaLaunchCooperativeKernel(meet_in_a_grid, 3, 64, arguments);
}
CASE(for_the_host) {
    wait_for_the_host<<<1, 32>>>(managed());
    cudaDeviceSynchronize();
}

/* The host does not wait, but the program's end does; or another thread of it than the one that launched. */
CASE(for_the_host_at_exit) { wait_for_the_host<<<1, 32>>>(managed()); }
CASE(for_another_thread) {
    wait_for_the_host<<<1, 32>>>(managed());
    std::thread([] { cudaDeviceSynchronize(); }).join(); /* EXPECT for_another_thread: host */
}
