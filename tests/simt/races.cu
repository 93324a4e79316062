/* races.cu: kernels with a race, each beside a twin that is right. All take `data`, 4096 ints that
 * are 0 at first; each has its own grid and block.
 * run: SIMT_STRICT=1 SIMT_SCHEDULE=0..5 KERNEL
 * run: SIMT_STRICT=1 SIMT_SCHEDULE=6..19 KERNEL((cluster.*|slots|relay)_right)
 * expect: read-write race
 * expect global_tree shuffle_orders_nothing halves blocks_read blocks_write variable_written no_grid_barrier: race in global memory
 * expect block_atomics counter_read no_fence_before no_fence_after block_fence meet lock: race in global memory
 * expect flag_without_fence flag_unacquired torn_slot plain_flag cluster_other: race in global memory
 * expect neighbours by_value all_write read_by_two_warps sum_twice one_buffer bytes lanes: race in shared memory
 * expect volatile_sum cluster_block_barrier cluster_late cluster_relaxed cluster_adds: race in shared memory
 * expect cluster_one_buffer cluster_flag: race in shared memory
 * prints: KERNEL ran
 * prints: KERNEL ran
 */
#include "kernels.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
typedef unsigned long long word;

/* Each is launched twice. */
#undef KERNEL
#define KERNEL(NAME, GRID, BLOCK, ...) KERNEL_OF(NAME, __VA_ARGS__, (int *data), twice(NAME, #NAME, GRID, BLOCK))
static void twice(void (*kernel)(int *), const char *name, dim3 grid, unsigned block) {
    void *arguments[] = {&device};
    for (int launch = 0; launch < 2; launch++) {
        if (launch == 1) printf("%s ran\n", name), cudaMemset(device, 0, sizeof host);
        if (strncmp(name, "grid_barrier", 12) == 0) cudaLaunchCooperativeKernel(kernel, grid, block, arguments);
        else kernel<<<grid, block, 64 * sizeof(int)>>>(device);
    }
}

/* ---- between the warps of a block ---- */

static __device__ void neighbour(int *data, bool wait) {
    __shared__ int tile[64];
    tile[threadIdx.x] = 0;
    __syncthreads();
    tile[threadIdx.x] = 1; /* EXPECT neighbours */
    if (wait) __syncthreads();
    data[threadIdx.x] = tile[threadIdx.x ^ 32]; /* EXPECT neighbours */
}
KERNEL(neighbours, 1, 64) { neighbour(data, false); }
KERNEL(neighbours_right, 1, 64) { neighbour(data, true); }

/* A structure that is passed by value is read by the call itself. */
struct pair { int first, second; };
static __device__ __noinline__ pair sum_of(pair a, pair b) { return {a.first + b.first, a.second + b.second}; }

static __device__ void add_by_value(int *data, bool wait) {
    __shared__ pair tile[64];
    tile[threadIdx.x] = {1, 2};
    __syncthreads();
    pair sum = sum_of(tile[threadIdx.x], tile[threadIdx.x ^ 32]); /* EXPECT by_value */
    if (wait) __syncthreads();
    tile[threadIdx.x] = sum; /* EXPECT by_value */
    data[threadIdx.x] = sum.second;
}
KERNEL(by_value, 1, 64) { add_by_value(data, false); }
KERNEL(by_value_right, 1, 64) { add_by_value(data, true); }

KERNEL(all_write, 1, 64) {
    __shared__ int winner;
    winner = (int)threadIdx.x; /* EXPECT all_write: write-write race */
    __syncthreads();
    data[threadIdx.x] = winner;
}

KERNEL(one_writes_right, 1, 64) {
    __shared__ int winner;
    for (int round = 0; round < 3; round++) {
        if ((int)threadIdx.x == 20 * round) winner = round;
        __syncthreads();
        data[threadIdx.x] += winner;
        __syncthreads();
    }
}

static __device__ void tree(int *data, bool wait) {
    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (threadIdx.x < stride) data[threadIdx.x] += data[threadIdx.x + stride]; /* EXPECT global_tree */
        if (wait) __syncthreads();
    }
}
KERNEL(global_tree, 1, 64) { tree(data, false); }
KERNEL(global_tree_right, 1, 1024) { tree(data, true); }

/* Both warps read the word, one of them writes it: the other was not asked. */
KERNEL(read_by_two_warps, 1, 64) {
    __shared__ int common;
    if (threadIdx.x == 0) common = 7;
    __syncthreads();
    data[threadIdx.x] = common; /* EXPECT read_by_two_warps */
    __syncwarp();
    if (threadIdx.x == 0) common = 8; /* EXPECT read_by_two_warps */
}

static __device__ int block_sum(int value, bool wait) {
    __shared__ int sums[2];
    value = __reduce_add_sync(0xffffffff, value);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = value; /* EXPECT sum_twice */
    __syncthreads();
    int sum = sums[0] + sums[1]; /* EXPECT sum_twice */
    if (wait) __syncthreads();
    return sum;
}
KERNEL(sum_twice, 1, 64) { data[threadIdx.x] = block_sum(1, false) + block_sum(2, false); }
KERNEL(sum_twice_right, 1, 64) { data[threadIdx.x] = block_sum(1, true) + block_sum(2, true); }

/* One barrier a round is enough for two buffers, and too little for one. */
static __device__ void rotate(int *data, int buffers) {
    __shared__ int buffer[2][64];
    for (int round = 0; round < 6; round++) {
        int *now = buffer[round % buffers];
        now[threadIdx.x] = round; /* EXPECT one_buffer */
        __syncthreads();
        data[threadIdx.x] += now[(threadIdx.x + 40) % 64]; /* EXPECT one_buffer */
    }
}
KERNEL(one_buffer, 1, 64) { rotate(data, 1); }
KERNEL(two_buffers_right, 1, 64) { rotate(data, 2); }

static __device__ void write_bytes(int *data, int threads_of_one) {
    __shared__ char text[64];
    text[threadIdx.x / threads_of_one] = 1; /* EXPECT bytes: write-write race */
    __syncthreads();
    data[threadIdx.x] = text[(63 - threadIdx.x) / threads_of_one];
}
KERNEL(bytes, 1, 64) { write_bytes(data, 2); }
KERNEL(bytes_right, 1, 64) { write_bytes(data, 1); }

/* ---- within a warp ---- */

KERNEL(lanes, 1, 32) {
    __shared__ volatile int tile[64];
    tile[threadIdx.x] = 1;
    __syncthreads();
    for (unsigned stride = 16; stride > 0; stride /= 2)
        if (threadIdx.x < stride) tile[threadIdx.x] = tile[threadIdx.x] + tile[threadIdx.x + stride]; /* EXPECT lanes */
    if (threadIdx.x == 0) data[0] = tile[0];
}

KERNEL(lanes_right, 1, 32) {
    __shared__ int tile[64];
    tile[threadIdx.x] = 1;
    __syncwarp();
    for (unsigned stride = 16; stride > 0; stride /= 2) {
        if (threadIdx.x < stride) tile[threadIdx.x] += tile[threadIdx.x + stride];
        __syncwarp();
    }
    data[threadIdx.x] = tile[0];
}

/* A shuffle waits for the lanes, but orders no memory. */
KERNEL(shuffle_orders_nothing, 1, 32) {
    data[threadIdx.x] = 1; /* EXPECT shuffle_orders_nothing */
    __shfl_sync(0xffffffff, 1, 0);
    data[32 + threadIdx.x] = data[threadIdx.x ^ 1]; /* EXPECT shuffle_orders_nothing */
}

/* volatile makes no addition whole: on a GPU most are lost. */
KERNEL(volatile_sum, 1, 32) {
    __shared__ volatile int sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    sum = sum + data[0] + 1; /* EXPECT volatile_sum */
}

/* Lanes tell those of their own half, or of the other. */
static __device__ void in_halves(int *data, unsigned distance) {
    unsigned mask = threadIdx.x < 16 ? 0x0000ffff : 0xffff0000;
    data[threadIdx.x] = 1; /* EXPECT halves */
    __syncwarp(mask);
    data[32 + threadIdx.x] = data[threadIdx.x ^ distance]; /* EXPECT halves */
    __syncwarp();
    data[64 + threadIdx.x] = data[32 + (threadIdx.x ^ 16)]; /* what lanes told lanes */
}
KERNEL(halves, 1, 32) { in_halves(data, 16); }
KERNEL(halves_right, 1, 32) { in_halves(data, 8); }

KERNEL(tiles_right, 1, 64) {
    auto tile = cg::tiled_partition<4>(cg::this_thread_block());
    for (int i = 0; i < 4; i++) {
        data[threadIdx.x] = i;
        tile.sync();
        data[64 + threadIdx.x] = data[threadIdx.x ^ 3];
        tile.sync();
    }
}

/* ---- between blocks ---- */

KERNEL(blocks_read, 2, 1) {
    data[blockIdx.x] = 1;                         /* EXPECT blocks_read */
    data[64 + blockIdx.x] = data[blockIdx.x ^ 1]; /* EXPECT blocks_read */
}

KERNEL(blocks_write, 2, 32) { data[threadIdx.x] = 1; /* EXPECT blocks_write: write-write race */ }

__device__ int variable;
KERNEL(variable_written, 2, 1) { variable = 1; /* EXPECT variable_written: write-write race */ }

KERNEL(no_grid_barrier, 4, 1) {
    data[blockIdx.x] = 1; /* EXPECT no_grid_barrier */
    __syncthreads();
    data[64 + blockIdx.x] = data[blockIdx.x ^ 1]; /* EXPECT no_grid_barrier */
}

KERNEL(grid_barrier_right, 8, 1) {
    for (int i = 0; i < 3; i++) {
        data[i * 64 + blockIdx.x] = 1;
        cg::this_grid().sync();
        data[1024 + i * 64 + blockIdx.x] = data[i * 64 + (blockIdx.x ^ 1)];
        cg::this_grid().sync();
        data[i * 64 + (blockIdx.x ^ 1)] = 2;
    }
}

/* Every launch but the first finds what others left; each block's words are its own. */
KERNEL(own_words_right, 600, 1) { data[blockIdx.x] += 1; }

/* ---- atomics ---- */

KERNEL(block_atomics, 4, 32) { atomicAdd_block(&data[0], 1); /* EXPECT block_atomics: write-write race */ }
KERNEL(block_atomics_right, 4, 64) { atomicAdd_block(&data[blockIdx.x], 1); }

KERNEL(counter_read, 1, 32) {
    atomicAdd(&data[0], 1);          /* EXPECT counter_read */
    data[1 + threadIdx.x] = data[0]; /* EXPECT counter_read */
}

KERNEL(own_atomic, 4, 32) {
    if (blockIdx.x == 0 && threadIdx.x == 0) data[0] = 5; /* EXPECT own_atomic: write-write race */
    atomicAdd(&data[0], 1);                               /* EXPECT own_atomic: write-write race */
}

KERNEL(counter_right, 1, 96) {
    __shared__ int counter;
    if (threadIdx.x == 0) counter = 0;
    __syncthreads();
    atomicAdd(&counter, 1);
    __syncthreads();
    data[threadIdx.x] = counter;
    atomicMax(&data[1000], counter); /* from every block */
}

enum fence { NONE, DEVICE, BLOCK };
static __device__ void fence(enum fence which) {
    if (which == DEVICE) __threadfence();
    if (which == BLOCK) __threadfence_block();
}

/* The block that finishes last adds up what all left: data[0] is the ticket. */
static __device__ void last_block(int *data, enum fence before, enum fence after, bool by_all) {
    __shared__ bool last;
    int *part = data + 64;
    if (threadIdx.x == 5) part[blockIdx.x] = 1; /* EXPECT no_fence_before no_fence_after block_fence */
    __syncthreads();
    if (threadIdx.x == 0) {
        fence(before);
        last = atomicAdd(&data[0], 1) == (int)gridDim.x - 1;
        if (!by_all) fence(after);
    }
    __syncthreads();
    if (!last) return;
    if (by_all) fence(after);
    for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x) atomicAdd(&data[1], part[i]); /* EXPECT no_fence_before no_fence_after block_fence */
    if (threadIdx.x == 0) data[0] = 0; /* for the next launch */
}
KERNEL(no_fence_before, 20, 64) { last_block(data, NONE, DEVICE, false); }
KERNEL(no_fence_after, 20, 64) { last_block(data, DEVICE, NONE, false); }
KERNEL(block_fence, 20, 64) { last_block(data, BLOCK, BLOCK, false); }
KERNEL(last_block_right, 300, 64) { last_block(data, DEVICE, DEVICE, false); }
KERNEL(last_block_all_fence_right, 300, 64) { last_block(data, DEVICE, DEVICE, true); }

/* As the CUDA guide has it: volatile parts, and no fence after the ticket. */
KERNEL(last_block_of_the_guide_right, 300, 64) {
    __shared__ bool last;
    volatile int *part = data + 64;
    if (threadIdx.x == 0) {
        part[blockIdx.x] = 1;
        __threadfence();
        last = atomicAdd(&data[0], 1) == (int)gridDim.x - 1;
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; last && i < gridDim.x; i += blockDim.x) atomicAdd(&data[1], part[i]);
}

/* A barrier of the grid made by hand, out of a counter. */
static __device__ void wait_for_all(int *counter, int goal, enum fence which) {
    __syncthreads();
    if (threadIdx.x == 0) {
        fence(which);
        atomicAdd(counter, 1);
        while (*(volatile int *)counter < goal) ;
        fence(which);
    }
    __syncthreads();
}

static __device__ void exchange(int *data, enum fence which) {
    int *mine = data + 64 + blockIdx.x * 64, *other = data + 64 + (blockIdx.x ^ 1) * 64;
    for (int round = 1; round < 4; round++) {
        mine[threadIdx.x] = round; /* EXPECT meet */
        wait_for_all(data, (2 * round - 1) * (int)gridDim.x, which);
        data[1024 + blockIdx.x * 64 + threadIdx.x] = other[63 - threadIdx.x]; /* EXPECT meet */
        wait_for_all(data, 2 * round * (int)gridDim.x, which);
    }
}
KERNEL(meet, 8, 64) { exchange(data, NONE); }
KERNEL(meet_right, 8, 64) { exchange(data, DEVICE); }

/* A lock: what one block did under it, the next knows. */
static __device__ void lock_and_add(int *data, enum fence which) {
    if (threadIdx.x > 0) return;
    while (atomicCAS(&data[0], 0, 1) != 0) ;
    fence(which);
    data[1] += 1; /* EXPECT lock */
    fence(which);
    atomicExch(&data[0], 0);
}
KERNEL(lock, 20, 32) { lock_and_add(data, NONE); }
KERNEL(lock_right, 20, 32) { lock_and_add(data, DEVICE); }

/* Two warps of a block take turns by atomics: a fence for the block is enough. */
KERNEL(turns_right, 1, 64) {
    __shared__ int turn;
    if (threadIdx.x == 0) turn = 0;
    __syncthreads();
    if (threadIdx.x % 32 != 0) return;
    for (int i = 0; i < 4; i++) {
        while (atomicAdd(&turn, 0) % 2 != (int)threadIdx.x / 32) ;
        __threadfence_block();
        data[0] += 1;
        __threadfence_block();
        atomicAdd(&turn, 1);
    }
}

/* ---- flags ---- */

/* Block 0 waits for the flag of block 1, that one for block 2, ...; the last begins. */
static __device__ void relay(int *data, enum fence before, enum fence after) {
    volatile int *flags = data;
    if (blockIdx.x + 1 < gridDim.x) {
        while (flags[blockIdx.x + 1] == 0) ;
        fence(after);
    }
    for (unsigned i = blockIdx.x + 1; i < gridDim.x; i++) data[64 + blockIdx.x] += data[64 + i]; /* EXPECT flag_without_fence flag_unacquired */
    data[64 + blockIdx.x] += 1;                /* EXPECT flag_without_fence flag_unacquired */
    fence(before);
    flags[blockIdx.x] = 1;
}
KERNEL(flag_without_fence, 10, 1) { relay(data, NONE, DEVICE); }
KERNEL(flag_unacquired, 10, 1) { relay(data, DEVICE, NONE); }
KERNEL(relay_right, 10, 1) { relay(data, DEVICE, DEVICE); }

/* A value and its flag in one 64-bit word: nothing else to hand over, so no fence. */
KERNEL(slots_right, 60, 1) {
    volatile word *slot = (volatile word *)data;
    if (blockIdx.x > 0) {
        slot[blockIdx.x] = 1ull << 32 | blockIdx.x;
        return;
    }
    word sum = 0;
    for (unsigned i = 1; i < gridDim.x; i++) {
        word w;
        while ((w = slot[i]) >> 32 != 1) ;
        sum += (unsigned)w;
    }
    slot[0] = sum;
}

/* The same in two halves: the reader may get one of each. */
KERNEL(torn_slot, 2, 1) {
    volatile word *slot = (volatile word *)data;
    if (blockIdx.x > 0) {
        volatile int *half = data;
        half[2 * blockIdx.x] = 5;     /* EXPECT torn_slot */
        half[2 * blockIdx.x + 1] = 1; /* EXPECT torn_slot */
        return;
    }
    while (slot[1] >> 32 != 1) ; /* EXPECT torn_slot */
}

KERNEL(plain_flag, 2, 1) {
    if (blockIdx.x == 0) *(volatile int *)&data[0] = 1; /* EXPECT plain_flag */
    else data[1] = data[0]; /* EXPECT plain_flag */
}

/* ---- between the blocks of a cluster ---- */

/* Each block writes its own words, then reads those of the next. */
enum barrier { CLUSTER, BLOCK_ALONE, SPLIT, LATE, RELAXED };
static __device__ void neighbours_meet(int *data, enum barrier which) {
    __shared__ int tile[32];
    cg::cluster_group cluster = cg::this_cluster();
    unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
    tile[threadIdx.x] = 0;
    cluster.sync();
    if (which != LATE) tile[threadIdx.x] = 1; /* EXPECT cluster_block_barrier cluster_relaxed */
    if (which == CLUSTER) cluster.sync();
    if (which == BLOCK_ALONE) __syncthreads();
    if (which == RELAXED) {
        __cluster_barrier_arrive_relaxed();
        __cluster_barrier_wait();
    }
    if (which == SPLIT || which == LATE) {
        cluster.barrier_arrive();
        if (which == LATE) tile[threadIdx.x] = 1; /* EXPECT cluster_late */
        data[blockIdx.x * 32 + threadIdx.x] = 2;
        cluster.barrier_wait();
    }
    const int *theirs = cluster.map_shared_rank(tile, next);
    data[blockIdx.x * 32 + threadIdx.x] = theirs[31 - threadIdx.x]; /* EXPECT cluster_block_barrier cluster_relaxed cluster_late */
    cluster.sync();
}
KERNEL(cluster_right, 8, 32, __cluster_dims__(4)) { neighbours_meet(data, CLUSTER); }
KERNEL(cluster_split_right, 8, 32, __cluster_dims__(4)) { neighbours_meet(data, SPLIT); }
KERNEL(cluster_block_barrier, 8, 32, __cluster_dims__(4)) { neighbours_meet(data, BLOCK_ALONE); }
KERNEL(cluster_late, 8, 32, __cluster_dims__(4)) { neighbours_meet(data, LATE); }
KERNEL(cluster_relaxed, 8, 32, __cluster_dims__(4)) { neighbours_meet(data, RELAXED); }

/* All add to a word of the first block. */
static __device__ void add_up(int *data, bool by_atomics) {
    __shared__ int sum;
    cg::cluster_group cluster = cg::this_cluster();
    int *first = cluster.map_shared_rank(&sum, 0);
    if (cluster.thread_rank() == 0) sum = 0;
    cluster.sync();
    if (by_atomics) atomicAdd(first, 1);
    else if (threadIdx.x == 0) *first += 1; /* EXPECT cluster_adds */
    cluster.sync();
    if (cluster.thread_rank() == 0) data[blockIdx.x] = sum;
}
KERNEL(cluster_adds, dim3(4, 2, 2), 32, __cluster_dims__(2, 2, 2)) { add_up(data, false); }
KERNEL(cluster_adds_right, dim3(4, 2, 2), 32, __cluster_dims__(2, 2, 2)) { add_up(data, true); }

/* Values go round from block to block, written where they are needed: one barrier a round is enough for two buffers. */
static __device__ void ring(int *data, int buffers) {
    extern __shared__ int incoming[];
    cg::cluster_group cluster = cg::this_cluster();
    int *next = cluster.map_shared_rank(incoming, (cluster.block_rank() + 1) % cluster.num_blocks());
    cluster.sync();
    for (int round = 0; round < 6; round++) {
        int at = round % buffers * 32;
        next[at + threadIdx.x] = round; /* EXPECT cluster_one_buffer */
        cluster.sync();
        data[blockIdx.x * 32 + threadIdx.x] += incoming[at + 31 - threadIdx.x]; /* EXPECT cluster_one_buffer */
    }
}
KERNEL(cluster_one_buffer, 8, 32, __cluster_dims__(4)) { ring(data, 1); }
KERNEL(cluster_two_buffers_right, 8, 32, __cluster_dims__(4)) { ring(data, 2); }

/* Global memory: a cluster's barrier is one for it too, but for no other cluster. */
static __device__ void through_global(int *data, unsigned partner) {
    data[blockIdx.x] = 1; /* EXPECT cluster_other */
    cg::this_cluster().sync();
    data[64 + blockIdx.x] = data[partner]; /* EXPECT cluster_other */
}
KERNEL(cluster_global_right, 8, 1, __cluster_dims__(2)) { through_global(data, blockIdx.x ^ 1); }
KERNEL(cluster_other, 8, 1, __cluster_dims__(2)) { through_global(data, blockIdx.x ^ 2); }

/* A flag in another block's shared memory hands over what lies beside it. */
static __device__ void push(int *data, enum fence which) {
    __shared__ int value;
    __shared__ volatile int flag;
    cg::cluster_group cluster = cg::this_cluster();
    flag = 0;
    cluster.sync();
    if (cluster.block_rank() == 0) {
        *cluster.map_shared_rank(&value, 1) = 5; /* EXPECT cluster_flag */
        fence(which);
        *cluster.map_shared_rank(&flag, 1) = 1;
    } else {
        while (flag == 0) ;
        fence(which);
        data[blockIdx.x] = value; /* EXPECT cluster_flag */
    }
    cluster.sync();
}
KERNEL(cluster_flag, 4, 1, __cluster_dims__(2)) { push(data, NONE); }
KERNEL(cluster_flag_right, 4, 1, __cluster_dims__(2)) { push(data, DEVICE); }

/* The first cluster waits for all others, though not all fit on the device at once; all of its blocks know what its first thread has been told. */
KERNEL(clusters_wait_right, 600, 1, __cluster_dims__(4)) {
    volatile int *flags = data;
    cg::cluster_group cluster = cg::this_cluster();
    unsigned here = blockIdx.x / 4, count = gridDim.x / 4;
    if (here > 0) {
        data[256 + blockIdx.x] = 1;
        cluster.sync();
    }
    if (cluster.thread_rank() == 0) {
        __threadfence();
        if (here > 0) flags[here] = 1;
        for (unsigned i = 1; here == 0 && i < count; i++)
            while (flags[i] == 0) ;
        __threadfence();
    }
    if (here == 0) {
        cluster.sync();
        for (unsigned i = 4 + cluster.block_rank(); i < gridDim.x; i += 4) data[256 + blockIdx.x] += data[256 + i];
    }
}
