/*
 * good.cu: kernels that are right on every GPU, and what CUDA allows, though a checker may well
 * take it for a mistake. Each must run without a word under every schedule, and leave what its line
 * says. Without an argument all run.
 *
 * run: SIMT_STRICT=1 SIMT_SCHEDULE=0..1
 */
/* clang-format off */
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

KERNEL(votes_of_a_short_block, 1, 35, host[t] == 1 + 2 * (t >= 32)) { data[threadIdx.x] = __all_sync(FULL, threadIdx.x < 35) + 2 * __any_sync(FULL, threadIdx.x == 34); }

KERNEL(match_after_return, 1, 64, t % 3 == 0 || (host[t] > 9 && host[t] < 12 && host[64 + t] > 20 && host[128 + t] == 1)) {
    int all;
    if (threadIdx.x % 3 == 0) return;
    data[threadIdx.x] = __popc(__match_any_sync(FULL, threadIdx.x % 2));
    data[64 + threadIdx.x] = __popc(__match_all_sync(FULL, 7, &all));
    data[128 + threadIdx.x] = all;
}

KERNEL(reduce_after_return, 1, 32, t % 4 == 3 || (host[t] == 496 - 8 * 17 && host[64 + t] == -70)) {
    if (threadIdx.x % 4 == 3) return;
    data[threadIdx.x] = (int)__reduce_add_sync(FULL, threadIdx.x);
    data[64 + threadIdx.x] = __reduce_max_sync(FULL, (int)threadIdx.x - 100);
}

KERNEL(broadcast_to_those_left, 1, 32, host[t] == (t > 20 ? 0 : 25)) {
    if (threadIdx.x > 20) return;
    data[threadIdx.x] = __shfl_sync(FULL, (int)threadIdx.x + 5, 20);
}

KERNEL(shuffles_inside_a_short_warp, 1, 8, host[t] == 36) {
    int v = (int)threadIdx.x + 1;
    for (int d = 4; d > 0; d /= 2) v += __shfl_xor_sync(FULL, v, d);
    data[threadIdx.x] = v;
}

KERNEL(syncwarp_after_return, 1, 64, host[t] == (t % 32 < 20 ? t ^ 1 : 0)) {
    __shared__ int tile[64];
    if (threadIdx.x % 32 >= 20) return;
    tile[threadIdx.x] = (int)threadIdx.x;
    __syncwarp();
    data[threadIdx.x] = tile[threadIdx.x ^ 1];
}

KERNEL(lanes_leave_one_by_one, 1, 32, host[t] == 32 - t) {
    for (int round = 0;; round++) {
        unsigned left = __ballot_sync(FULL, 1);
        if (round == (int)threadIdx.x) {
            data[threadIdx.x] = __popc(left);
            return;
        }
    }
}

KERNEL(masks_that_differ_in_absent_lanes, 1, 16, host[t] == 16) {
    unsigned mask = threadIdx.x < 8 ? FULL : 0xffffu;
    data[threadIdx.x] = __popc(__ballot_sync(mask, 1));
}

KERNEL(a_tile_of_a_short_warp, 1, 20, host[t] == 110) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    data[threadIdx.x] = __popc(warp.ballot(threadIdx.x % 2 == 0)) + 100 * warp.any(threadIdx.x == 19);
}

KERNEL(those_who_are_together, 1, 32, host[t] == (t >= 11)) {
    if (threadIdx.x < 11) return;
    cg::coalesced_group some = cg::coalesced_threads();
    int sum = 1;
    for (unsigned rank = 0; rank < some.size(); rank++) sum = some.shfl(sum, rank);
    data[threadIdx.x] = sum;
}

/* ---- barriers after some have returned ---- */

KERNEL(barrier_after_return, 1, 96, host[t] == (t < 70 ? 69 - t : 0)) {
    __shared__ int tile[96];
    if (threadIdx.x >= 70) return;
    tile[threadIdx.x] = (int)threadIdx.x;
    __syncthreads();
    data[threadIdx.x] = tile[69 - threadIdx.x];
}

KERNEL(warps_leave_one_by_one, 1, 128, host[t] == t / 32 + 1) {
    __shared__ int left[5];
    for (unsigned round = 0; round < 4; round++) {
        if (threadIdx.x / 32 < round) return;
        if (threadIdx.x == 127) left[round] = 128 - 32 * (int)round;
        int count = __syncthreads_count(1);
        data[threadIdx.x] += count == left[round];
        __syncthreads();
    }
}

KERNEL(each_block_its_own_barrier, 3, 64, host[t] == 1 && host[64 + t] == 1 && host[128 + t] == 1) {
    __shared__ int tile[64];
    tile[threadIdx.x] = 1;
    if (blockIdx.x % 2 == 0) __syncthreads();
    else __syncthreads();
    data[64 * blockIdx.x + threadIdx.x] = tile[63 - threadIdx.x];
}

/* ---- hand-overs: a fence is cumulative ---- */

/* The last block adds up what all threads of all blocks have left. */
static __device__ void last_block_adds(int *data, bool last) {
    __threadfence();
    for (unsigned i = threadIdx.x; last && i < gridDim.x * blockDim.x; i += blockDim.x)
        atomicAdd(&data[1], data[64 + i]);
}

KERNEL(all_fence_then_one_ticket, 6, 64, host[1] == 384) {
    __shared__ bool last;
    data[64 + blockIdx.x * blockDim.x + threadIdx.x] = 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) last = atomicAdd(&data[0], 1) == (int)gridDim.x - 1;
    __syncthreads();
    last_block_adds(data, last);
}

KERNEL(writers_fence_then_another_takes_the_ticket, 6, 64, host[1] == 384) {
    __shared__ bool last;
    if (threadIdx.x % 2 == 0) {
        data[64 + blockIdx.x * blockDim.x + threadIdx.x] = 1;
        __threadfence();
    } else {
        atomicExch(&data[64 + blockIdx.x * blockDim.x + threadIdx.x], 1);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicAdd(&data[0], 1) == (int)gridDim.x - 1;
    }
    __syncthreads();
    last_block_adds(data, last);
}

KERNEL(lanes_fence_then_one_flag, 2, 32, host[128 + t] == 1) {
    volatile int *flag = data;
    if (blockIdx.x == 0) {
        data[64 + threadIdx.x] = 1;
        __threadfence();
        __syncwarp();
        if (threadIdx.x == 0) *flag = 1;
        return;
    }
    while (*flag == 0) ;
    __threadfence();
    data[128 + threadIdx.x] = data[64 + (threadIdx.x ^ 9)];
}

KERNEL(tickets_again_and_again, 5, 64, host[1024 + t] == 6) {
    for (int round = 0; round < 3; round++) {
        data[64 + blockIdx.x * blockDim.x + threadIdx.x] = round + 1;
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) {
            atomicAdd(&data[0], 1);
            while (atomicAdd(&data[0], 0) < (round + 1) * (int)gridDim.x) ;
        }
        __syncthreads();
        __threadfence();
        unsigned other = (blockIdx.x + 1) % gridDim.x;
        data[1024 + blockIdx.x * blockDim.x + threadIdx.x] += data[64 + other * blockDim.x + (threadIdx.x ^ 1)];
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) {
            atomicAdd(&data[1], 1);
            while (atomicAdd(&data[1], 0) < (round + 1) * (int)gridDim.x) ;
        }
        __syncthreads();
        __threadfence();
    }
}

/* ---- memory in other ways than by = ---- */

struct matrix { int at[5][5]; };
struct three { float x, y, z; };

KERNEL(memcpy_and_memset, 1, 64, host[t] == (t % 16 < 8 ? 8 : 0) && host[64 + t] == "sixty-three letters and a blank"[t % 32]) {
    __shared__ int tile[64];
    __shared__ char bytes[64];
    if (threadIdx.x == 0) {
        memset(tile, 0, sizeof tile);
        memcpy(bytes, "sixty-three letters and a blank", 32);
        memmove(bytes + 32, bytes, 32);
    }
    __syncthreads();
    atomicAdd(&tile[threadIdx.x % 8], 1);
    __syncthreads();
    memcpy(&data[threadIdx.x], &tile[threadIdx.x % 16], sizeof(int));
    data[64 + threadIdx.x] = bytes[threadIdx.x];
}

KERNEL(structs_are_copied, 1, 64, host[t] == 12 && host[64 + 24] == 9) {
    __shared__ matrix m, copy;
    __shared__ three v[2];
    if (threadIdx.x == 0) {
        matrix own = {};
        own.at[4][4] = 9;
        m = own;
        v[0] = {1, 2, 3};
        v[1] = v[0];
    }
    __syncthreads();
    if (threadIdx.x == 33) copy = m;
    __syncthreads();
    if (threadIdx.x == 5) *(matrix *)(data + 64) = copy;
    data[threadIdx.x] = copy.at[4][4] + (int)v[1].z;
}

struct shape {
    __device__ virtual int area() const = 0;
    __device__ virtual ~shape() { }
};
struct square : shape {
    int side;
    __device__ square(int s) : side(s) { }
    __device__ int area() const override { return side * side; }
};
struct strip : shape {
    int length;
    __device__ strip(int l) : length(l) { }
    __device__ int area() const override { return length; }
};

/* Holes are copied with a structure, and members that are not used; bits are set one by one. */
struct best { double value; int where; };
struct matrix3 { float m[3][3]; };
struct bits { unsigned a : 3, b : 9; char c; };
__device__ __noinline__ best better(best a, best b) { return a.value > b.value ? a : b; }
__device__ __noinline__ float length(float4 v) { return v.x + v.y + v.z; }
__device__ __noinline__ matrix3 product(matrix3 a, matrix3 b) {
    matrix3 c;
    for (int i = 0; i < 9; i++) {
        c.m[i / 3][i % 3] = 0;
        for (int k = 0; k < 3; k++) c.m[i / 3][i % 3] += a.m[i / 3][k] * b.m[k][i % 3];
    }
    return c;
}

KERNEL(holes_are_copied, 1, 64, host[t] == 19 + 3 * (63 - t) + 5 + t + 4) {
    __shared__ best all[64];
    __shared__ float4 points[64];
    __shared__ matrix3 matrices[64];
    __shared__ bits sets[64];
    int t = threadIdx.x;
    all[t].value = t * 37 % 64;
    all[t].where = t;
    points[t].x = points[t].y = points[t].z = t;
    for (int i = 0; i < 9; i++) matrices[t].m[i / 3][i % 3] = i % 4 == 0 ? 2 : 0;
    sets[t].a = 5;
    sets[t].b = t;
    __syncthreads();
    for (int d = 32; d > 0; d /= 2) {
        if (t < d) all[t] = better(all[t], all[t + d]);
        __syncthreads();
    }
    best *copy = (best *)(data + 1024);
    float4 *point = (float4 *)(data + 2048);
    copy[t] = all[0];
    copy[t] = better(copy[t], all[0]);
    point[t] = points[63 - t];
    bits set = sets[t];
    data[t] = copy[t].where + (int)length(point[t]) + set.a + set.b + (int)product(matrices[t], matrices[t]).m[1][1];
}

KERNEL(objects_of_a_kernel, 1, 64, host[t] == (t % 2 ? t * t : t)) {
    shape *s = threadIdx.x % 2 ? (shape *)new square((int)threadIdx.x) : new strip((int)threadIdx.x);
    data[threadIdx.x] = s->area();
    delete s;
}

KERNEL(memory_of_another_thread, 1, 64, host[t] == (t ^ 32)) {
    __shared__ int *given[64];
    given[threadIdx.x] = (int *)malloc(8 * sizeof(int));
    for (int i = 0; i < 8; i++) given[threadIdx.x][i] = (int)threadIdx.x;
    __syncthreads();
    int *other = given[threadIdx.x ^ 32];
    data[threadIdx.x] = other[threadIdx.x % 8];
    free(other);
}

KERNEL(atomics_of_pairs, 1, 64, host[1] == 192) {
    half2 *sum = (half2 *)data;
    atomicAdd(sum, __floats2half2_rn(1, 2));
    __syncthreads();
    if (threadIdx.x == 0) data[1] = (int)(__low2float(*sum) + __high2float(*sum));
}

KERNEL(exchange_as_the_first_write, 1, 64, host[t] == 63 - t) {
    __shared__ int slot[64];
    atomicExch(&slot[threadIdx.x], (int)threadIdx.x);
    __syncthreads();
    data[threadIdx.x] = slot[63 - threadIdx.x];
}

/* ---- locks and loops with a compare-and-swap ---- */

KERNEL(largest_float, 8, 64, host[0] == 0x42c80000) {
    float mine = (float)((threadIdx.x * 37 + blockIdx.x * 11) % 101);
    int old = *(volatile int *)data, assumed;
    do {
        assumed = old;
        if (__int_as_float(assumed) >= mine) break;
        old = atomicCAS(data, assumed, __float_as_int(mine));
    } while (assumed != old);
}

KERNEL(lock_for_a_block, 20, 32, host[1] == 20 && host[0] == 0) {
    if (threadIdx.x == 0) {
        while (atomicCAS(&data[0], 0, 1) != 0) __nanosleep(20);
        __threadfence();
        data[1] += 1;
        __threadfence();
        atomicExch(&data[0], 0);
    }
}

/* ---- long waits that end ---- */

KERNEL(tries_often_and_gives_up, 1, 32, host[t] == 30000) {
    int tries = 0;
    while (tries < 30000 && *(volatile int *)&data[4000] == 0) tries++;
    data[threadIdx.x] = tries;
}

KERNEL(reads_one_place_between_barriers, 1, 96, host[t] == 3000) {
    __shared__ volatile int one;
    int sum = 0;
    if (threadIdx.x == 0) one = 1;
    __syncthreads();
    for (int i = 0; i < 3000; i++) {
        sum += one;
        __syncthreads();
    }
    data[threadIdx.x] = sum;
}

KERNEL(goes_along_a_chain, 1, 32, host[t] == (t + 5 * 20000) % 32) {
    volatile int *next = data + 1024;
    int at = (int)threadIdx.x;
    next[at] = ((int)threadIdx.x + 5) % 32;
    __syncwarp();
    for (int i = 0; i < 20000; i++) at = next[at];
    data[threadIdx.x] = at;
}

/* Each block waits for the next, and changes memory all the while. */
KERNEL(counts_while_it_waits, 5, 1, host[0] == 1) {
    if (blockIdx.x + 1 < gridDim.x)
        while (atomicAdd(&data[blockIdx.x + 1], 0) == 0) atomicAdd(&data[100 + blockIdx.x], 1);
    atomicExch(&data[blockIdx.x], 1);
}

KERNEL(writes_while_it_waits, 2, 1, host[0] == 1) {
    volatile int *flag = data;
    if (blockIdx.x == 0)
        while (flag[0] == 0) flag[1] = flag[1] + 1;
    else flag[0] = 1;
}

KERNEL(warps_stop_by_a_flag, 1, 256, host[0] == 0) {
    while (*(volatile int *)&data[4000] == 0)
        if (atomicAdd(&data[4001], 1) > 1000) *(volatile int *)&data[4000] = 1;
}

/* A limit that must not be over before the flag has come. */
KERNEL(waits_no_longer_than_a_second, 2, 1, host[0] == 1) {
    volatile int *flag = data + 4000;
    long long start = clock64();
    if (blockIdx.x > 0) {
        flag[0] = 1;
        return;
    }
    while (flag[0] == 0 && clock64() - start < 1000000000) ;
    data[threadIdx.x] = flag[0];
}

/* One after which nothing comes. */
KERNEL(waits_for_a_second, 1, 64, host[t] == 1) {
    long long start = clock64();
    int rounds = 0;
    while (*(volatile int *)&data[4000] == 0 && clock64() - start < 1000000000) rounds++;
    data[threadIdx.x] = rounds > 0;
}

KERNEL(sleeps_for_a_second, 2, 64, host[t] == 1) {
    long long start = clock64();
    while (clock64() - start < 1000000000) ;
    data[64 * blockIdx.x + threadIdx.x] = 1;
}

/* Block 0 looks at eleven words with each lane; the others read much before they post theirs. */
KERNEL(waits_for_many_words, 4, 32, host[t] == 1) {
    volatile int *posted = data + 1024;
    int sum = 0;
    if (blockIdx.x > 0) {
        for (int i = 0; i < 10000; i++) sum += ((volatile int *)data)[512 + i % 64];
        for (unsigned i = blockIdx.x - 1 + (gridDim.x - 1) * threadIdx.x; i < 330;
             i += (gridDim.x - 1) * blockDim.x)
            posted[i] = sum + 1;
        return;
    }
    bool missing;
    do {
        missing = false;
        for (int i = 0; i < 11 && threadIdx.x < 30; i++) missing |= posted[11 * threadIdx.x + i] == 0;
    } while (__any_sync(FULL, missing));
    data[threadIdx.x] = 1;
}

/* ---- C++ ---- */

static __device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

typedef int (*function)(int);
static __device__ int twice(int x) { return 2 * x; }
__device__ function table[2] = {twice, fibonacci};

KERNEL(functions_by_pointer, 1, 32, t % 16 != 7 || host[t] == 13) {
    int local[16];
    for (int i = 0; i < 16; i++) local[i] = table[i % 2](i);
    data[threadIdx.x] = local[threadIdx.x % 16];
}

KERNEL(one_memory_as_two_types, 1, 64, host[t] == t && ((char *)host)[256 + t] == t % 3 + 1) {
    union {
        float4 wide;
        float each[4];
    } u;
    u.wide = make_float4(1, 2, 3, (float)threadIdx.x);
    data[threadIdx.x] = (int)u.each[3];
    ((char *)data)[256 + threadIdx.x] = (char)u.each[threadIdx.x % 3];
}

template <class F> __global__ void apply(int *data, F f) { data[threadIdx.x] = f((int)threadIdx.x); }
CASE(lambda) {
    int factor = 3;
    apply<<<1, 32>>>(device, [=](int i) { return factor * i; });
    cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
    CHECK(host[1] == 3 && host[31] == 93);
}

/* ---- plain use ---- */

/* Blocks wait for one another by polling, higher numbers first. */
KERNEL(turn, 20, 1, host[0] == 20) {
    volatile int *next = data;
    while (*next != (int)(gridDim.x - 1 - blockIdx.x)) ;
    *next = *next + 1;
}

/* Each block's static shared memory is its own, also while others are resident. */
__global__ void own_shared(int *out) {
    __shared__ int mine[32];
    mine[threadIdx.x] = (int)blockIdx.x;
    cg::this_grid().sync();
    out[blockIdx.x * 32 + threadIdx.x] = mine[31 - threadIdx.x];
}
CASE(cooperative) {
    void *arguments[] = {&device};
    CHECK(cudaLaunchCooperativeKernel(own_shared, 32, 32, arguments) == cudaSuccess);
    cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32 * 32; i++) CHECK(host[i] == i / 32);
    CHECK(cudaLaunchCooperativeKernel(own_shared, 1000, 32, arguments) == cudaErrorCooperativeLaunchTooLarge);
    CHECK(cudaGetLastError() == cudaErrorCooperativeLaunchTooLarge && cudaGetLastError() == cudaSuccess);
}

template <class T> __global__ void shuffle(T *out) {
    T lane = (T)threadIdx.x;
    out[threadIdx.x] = __shfl_down_sync(FULL, lane, 3);
    out[32 + threadIdx.x] = __shfl_up_sync(FULL, lane, 3);
    out[64 + threadIdx.x] = __shfl_xor_sync(FULL, lane, 5);
    out[96 + threadIdx.x] = __shfl_sync(FULL, lane, 2, 8);
}
template <class T> static void shuffles(void) {
    T h[128];
    shuffle<<<1, 32>>>((T *)device);
    cudaMemcpy(h, device, sizeof h, cudaMemcpyDeviceToHost);
    for (int l = 0; l < 32; l++)
        CHECK(h[l] == (l + 3 < 32 ? l + 3 : l) && h[32 + l] == (l >= 3 ? l - 3 : l) && h[64 + l] == (l ^ 5) && h[96 + l] == l / 8 * 8 + 2);
}
CASE(shuffles_of_int) { shuffles<int>(); }
CASE(shuffles_of_double) { shuffles<double>(); }

KERNEL(votes, 1, 32, (unsigned)host[0] == 0x49249249 && host[33] == 0x22222222 && host[64] == 496 && host[96] == 1 && host[128] == 16) {
    unsigned lane = threadIdx.x;
    ((unsigned *)data)[lane] = __ballot_sync(0xffffffff, lane % 3 == 0);
    ((unsigned *)data)[32 + lane] = __match_any_sync(0xffffffff, lane % 4);
    ((unsigned *)data)[64 + lane] = __reduce_add_sync(0xffffffff, lane);
    ((unsigned *)data)[96 + lane] =
        (unsigned)__all_sync(0xffffffff, lane < 32) + 2 * __any_sync(0xffffffff, lane == 40);
    ((unsigned *)data)[128 + lane] = (unsigned)__syncthreads_count(lane % 2);
}

/* The two halves of a warp, each with its own mask, at the same time. */
KERNEL(halves, 1, 32, host[0] == 120 && host[16] == 376) {
    unsigned mask = threadIdx.x < 16 ? 0x0000ffff : 0xffff0000;
    int v = (int)threadIdx.x;
    for (int offset = 8; offset > 0; offset /= 2) v += __shfl_down_sync(mask, v, offset, 16);
    data[threadIdx.x] = v;
}

KERNEL(tiles, 1, 64, host[0] == 28 && host[7] == 28 + 7 * 64) {
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int v = (int)threadIdx.x;
    for (unsigned offset = 4; offset > 0; offset /= 2) v += tile.shfl_down(v, offset);
    if (tile.thread_rank() == 0) data[tile.meta_group_rank()] = v;
}

KERNEL(three_dimensions, dim3(2, 3, 2), dim3(4, 3, 2), host[72 * t + 3] == 300 * t + 3 && host[24 + 4 * t] == 100 + 4 * t) {
    int block = (int)(blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z));
    int thread = (int)(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
    data[block * 24 + thread] = block * 100 + thread;
}

__constant__ int constants[4];
__device__ int counter;
__global__ void use_symbols(int *out) {
    out[blockIdx.x * 32 + threadIdx.x] = constants[threadIdx.x % 4];
    atomicAdd(&counter, 1);
}
CASE(symbols) {
    int values[4] = {7, 8, 9, 10}, count = 0;
    cudaMemcpyToSymbol(constants, values, sizeof values);
    cudaMemcpyToSymbol(counter, &count, sizeof count);
    use_symbols<<<2, 32>>>(device);
    cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&count, counter, sizeof count);
    CHECK(host[5] == 8 && count == 64);
}

__global__ void reverse(float4 *all) { all[threadIdx.x] = make_float4(all[threadIdx.x].w, all[threadIdx.x].z, all[threadIdx.x].y, all[threadIdx.x].x); }
CASE(float4s) {
    float4 h[2] = {make_float4(1, 2, 3, 4), make_float4(5, 6, 7, 8)}, *all = (float4 *)device;
    cudaMemcpy(all, h, sizeof h, cudaMemcpyHostToDevice);
    reverse<<<1, 2>>>(all);
    cudaMemcpy(h, all, sizeof h, cudaMemcpyDeviceToHost);
    CHECK(h[0].x == 4 && h[1].w == 5);
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
