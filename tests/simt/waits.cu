/*
 * waits.cu: waits that never end. Nothing that they read changes, or not any more. p points to
 * 16,384 ints that are 0. (tests/expectations.py tells what this means:)
 *
 * run: KERNEL 0
 * run: KERNEL((?!counts_its_rounds).*) 3
 * expect: deadlock: this thread (reads|loops)
 * seconds: 10
 * tier: more
 */
/* clang-format off */
#include "../../simulator/simt.h"
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda/atomic>
#include <cuda/barrier>
#include <thread>
namespace cg = cooperative_groups;
#define FULL 0xffffffffu

/* ---- what is read ---- */

__global__ void one_word(volatile int *p) {
    while (p[0] == 0) ; /* EXPECT one_word */
}

/* As in library/parts/exact.h. Two lanes only vote, and the first warp waits at a barrier. */
__global__ void eleven_words_and_a_vote(volatile int *p) {
    unsigned lane = threadIdx.x % 32;
    bool missing = threadIdx.x >= 32;
    while (__any_sync(FULL, missing)) { /* MAY eleven_words_and_a_vote: thread 0 */
        missing = false;
        for (unsigned i = 0; i < 11 && lane < 30; i++) missing |= p[11 * threadIdx.x + i] == 0; /* MAY eleven_words_and_a_vote: thread 0 */
    }
    __syncthreads();
}

__global__ void many_words(volatile int *p) {
    for (bool all = false; !all;) {
        all = true;
        for (int i = 0; i < 10000; i++) all &= p[i] != 0; /* EXPECT many_words */
    }
}

/* Each thread goes round after another number of words. */
__global__ void rounds_of_all_lengths(volatile int *p) {
    for (bool all = false; !all;) {
        all = true;
        for (unsigned i = 0; i <= threadIdx.x; i++) all &= p[i] != 0; /* EXPECT rounds_of_all_lengths */
    }
}

__global__ void by_barriers(int *p) {
    __shared__ int seen;
    do {
        __syncthreads(); /* MAY by_barriers */
        if (threadIdx.x == 0) seen = *(volatile int *)p; /* MAY by_barriers */
        __syncthreads();               /* MAY by_barriers */
    } while (seen == 0);
}

__global__ void by_shuffles(volatile int *p) {
    int seen = 0;
    while (seen == 0) seen = __shfl_sync(FULL, threadIdx.x == 0 ? p[0] : 0, 0); /* EXPECT by_shuffles */
}

/* ---- how it is read ---- */

__global__ void adds_zero(int *p) {
    while (atomicAdd(p, 0) == 0) ; /* EXPECT adds_zero */
}

__global__ void swaps_in_vain(int *p) {
    while (atomicCAS(p, 1, 2) != 1) ; /* EXPECT swaps_in_vain */
}

/* It takes a lock twice. */
__global__ void lock_of_its_own(int *p) {
    for (int i = 0; i < 2; i++)
        while (atomicExch(p, 1) != 0) ; /* EXPECT lock_of_its_own */
}

__global__ void by_atomic_ref(int *p) {
    cuda::atomic_ref<int, cuda::thread_scope_device> flag(*p);
    while (flag.load(cuda::memory_order_acquire) == 0) ; /* EXPECT by_atomic_ref */
}

__global__ void by_cache_operator(int *p) {
    while (__ldcg(p) == 0) /* MAY by_cache_operator */
        __nanosleep(20);   /* MAY by_cache_operator */
}

__global__ void by_barrier_object(int *) {
    __shared__ cuda::barrier<cuda::thread_scope_block> gate;
    if (threadIdx.x == 0) init(&gate, blockDim.x + 1);
    __syncthreads();
    auto token = gate.arrive();
    while (!gate.try_wait(token)) ; /* EXPECT by_barrier_object */
}

/* ---- what else is done meanwhile ---- */

__global__ void sleeps_longer(volatile int *p) {
    for (unsigned ns = 8; p[0] == 0; ns = ns < 256 ? 2 * ns : ns) /* MAY sleeps_longer */
        __nanosleep(ns);                                          /* MAY sleeps_longer */
}

__global__ void never_too_late(volatile int *p) {
    long long start = clock64();
    while (p[0] == 0 && clock64() - start < 0x7fffffffffffffff) ; /* EXPECT never_too_late */
}

__global__ void too_late_in_no_thread(volatile int *p) {
    int rounds = 0;
    long long start = clock64();
    while (p[0] == 0 && clock64() - start < 0x7fffffffffffffff) rounds++; /* EXPECT too_late_in_no_thread */
    p[1] = rounds;
}

__global__ void counts_its_rounds(volatile int *p) {
    unsigned rounds = 0;
    while (p[0] == 0) rounds++; /* EXPECT counts_its_rounds */
    p[1] = (int)rounds;
}

__global__ void nothing_but_barriers(int *) {
    for (;;) __syncthreads(); /* EXPECT nothing_but_barriers: loops and reads nothing */
}

__global__ void nothing_but_votes(int *) {
    while (__any_sync(FULL, threadIdx.x == 0)) ; /* EXPECT nothing_but_votes */
}

/* ---- who is waited for ---- */

__global__ void warps_for_each_other(volatile int *p) {
    unsigned warp = threadIdx.x / 32, warps = blockDim.x / 32;
    while (p[(warp + 1) % warps] == 0) ; /* EXPECT warps_for_each_other */
    p[warp] = 1;
}

__global__ void blocks_for_each_other(volatile int *p) {
    while (p[(blockIdx.x + 1) % gridDim.x] == 0) ; /* EXPECT blocks_for_each_other */
    p[blockIdx.x] = 1;
}

/* Each keeps its place, and there are not enough. */
__global__ void for_a_block_without_a_place(volatile int *p) {
    if (threadIdx.x == 0) p[blockIdx.x] = 1;
    while (p[gridDim.x - 1] == 0) ; /* EXPECT for_a_block_without_a_place: 168 of 200 */
}

__global__ void __cluster_dims__(2) in_a_cluster(int *) {
    __shared__ int flag;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) flag = 0;
    cluster.sync();
    volatile int *other = cluster.map_shared_rank(&flag, 1 - cluster.block_rank());
    while (*other == 0) ; /* EXPECT in_a_cluster */
    cluster.sync();
}

__global__ void grid_without_a_block(int *p) {
    while (blockIdx.x == 1 && *(volatile int *)p == 0) ; /* EXPECT grid_without_a_block */
    cg::this_grid().sync();
}

/* The host waits, too. */
__global__ void for_the_host(volatile int *p) {
    while (p[0] == 0) ; /* EXPECT for_the_host */
}

/* The host does not wait, but the program's end does. */
__global__ void for_the_host_at_exit(volatile int *p) {
    while (p[0] == 0) ; /* EXPECT for_the_host_at_exit */
}

/* Another thread of the host than the one that launched it waits. */
__global__ void for_another_thread(volatile int *p) {
    while (p[0] == 0) ;
}

/* ---- */

static int *device, *managed;

struct wait {
    const char *name;
    void (*run)();
};
#define WAIT(KERNEL, GRID, BLOCK)                                                                  \
    {                                                                                              \
#KERNEL, [] { KERNEL<<<GRID, BLOCK>>>(device); }                                           \
    }

static const wait waits[] = {
    WAIT(one_word, 2, 64),
    WAIT(eleven_words_and_a_vote, 3, 256),
    WAIT(many_words, 1, 1),
    WAIT(rounds_of_all_lengths, 1, 7),
    WAIT(by_barriers, 2, 128),
    WAIT(by_shuffles, 2, 64),
    WAIT(adds_zero, 1, 40),
    WAIT(swaps_in_vain, 1, 40),
    WAIT(lock_of_its_own, 1, 1),
    WAIT(by_atomic_ref, 2, 32),
    WAIT(by_cache_operator, 1, 32),
    WAIT(by_barrier_object, 1, 64),
    WAIT(sleeps_longer, 2, 64),
    WAIT(never_too_late, 2, 64),
    WAIT(too_late_in_no_thread, 1, 32),
    WAIT(counts_its_rounds, 1, 32),
    WAIT(nothing_but_barriers, 2, 64),
    WAIT(nothing_but_votes, 1, 32),
    WAIT(warps_for_each_other, 1, 128),
    WAIT(blocks_for_each_other, 3, 32),
    WAIT(for_a_block_without_a_place, 200, 256),
    WAIT(in_a_cluster, 4, 32),
    {"grid_without_a_block",
     [] {
         void *arguments[] = {&device};
         cudaLaunchCooperativeKernel(grid_without_a_block, 3, 64, arguments);
     }},
    {"for_the_host",
     [] {
         for_the_host<<<1, 32>>>(managed);
         cudaDeviceSynchronize();
     }},
    {"for_the_host_at_exit", [] { for_the_host_at_exit<<<1, 32>>>(managed); }},
    {"for_another_thread",
     [] {
         for_another_thread<<<1, 32>>>(managed);
         std::thread([] { cudaDeviceSynchronize(); }).join(); /* EXPECT for_another_thread: host */
     }},
};

int main(int argc, char **argv) {
    simt_schedule(argc > 2 ? strtoull(argv[2], NULL, 10) : 0);
    cudaMalloc(&device, 16384 * sizeof *device);
    cudaMemset(device, 0, 16384 * sizeof *device);
    cudaMallocManaged(&managed, sizeof *managed);
    managed[0] = 0;
    for (const wait &w : waits)
        if (argc < 2) puts(w.name);
        else if (strcmp(w.name, argv[1]) == 0) w.run();
    if (argc > 1) printf("%s: it came to an end\n", argv[1]);
    return 0;
}
