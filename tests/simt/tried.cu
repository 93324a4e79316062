/* tried.cu: whether a race, or a read of what nothing has written, matters is tried: another value
 * there, and the same memory is left. So are older values for volatile and relaxed reads: without a
 * fence such a one may come; a thread that then reads again is right. The twins of those that may
 * be leave another.
 * run: KERNEL
 * run: SIMT_STRICT=1 KERNEL(levels|parents|neighbours|all_neighbours|even|says)
 * quiet: SIMT_STRICT=1 SIMT_SCHEDULE=1..3 KERNEL((?!levels|parents|neighbours|all_|even|says).*)
 * prints levels: KERNEL ran
 * tier: more
 */
#include "kernels.h"
#include <cuda/atomic>
#include <set>

enum { N = 128 };

/* ---- plain reads ---- */

__global__ void next_level(int *level, int *changed, int now) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (level[v] != now) return; /* MAY levels: note: */
    for (int e = 1; e <= 3; e++) {
        int w = (v * 5 + 7 * e) % N;
        if (level[w] == -1) { /* EXPECT levels: note: .*read-write race in global memory.*tried with the value from before the write, too, the launch left the same\)$ */
            level[w] = now + 1; /* MAY levels: note: */
            *changed = 1;       /* MAY levels: note: */
        }
    }
}
CASE(levels) {
    cudaMemset(device + 1, -1, (N - 1) * sizeof(int));
    for (int changed = 1, now = 0; changed; now++) {
        cudaMemset(other, 0, sizeof(int));
        next_level<<<2, 64>>>(device, other, now);
        cudaMemcpy(&changed, other, sizeof changed, cudaMemcpyDeviceToHost);
    }
}
__global__ void find_parents(int *parent) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (parent[v / 2] == -1) /* EXPECT parents: ^(?!note).*read-write race in global memory: .*, no barrier.*between$ */
        parent[v / 2] = v;   /* MAY parents: race */
}
CASE(parents) {
    cudaMemset(device + 1, -1, (N - 1) * sizeof(int));
    find_parents<<<2, 64>>>(device);
}

/* The first 40 are written. */
static float *forty(void) {
    float *x;
    cudaMalloc(&x, N * sizeof *x);
    cudaMemset(x, 0, 40 * sizeof *x);
    return x;
}
__global__ void add_neighbours(float *x, int *y, int n) {
    __shared__ float tile[65];
    int i = threadIdx.x;
    tile[i] = x[i]; /* EXPECT neighbours: note: .* reads memory that nothing has written, and does not use it */
    __syncthreads();
    if (i < n - 1) y[i] = tile[i + 1];
}
CASE(neighbours) { add_neighbours<<<1, 64>>>(forty(), device, 40); }
__global__ void copy(float *x, int *y) { y[threadIdx.x] = x[threadIdx.x + 1]; /* EXPECT all_neighbours: ^(?!note).* reads global memory that no thread or copy has written, and none does later: it is not initialised$ */ }
CASE(all_neighbours) { copy<<<1, 64>>>(forty(), device); }
__global__ void print(float *x) { printf("%d\n", x[0] > 1); /* EXPECT says: ^(?!note).* reads global memory that no thread or copy has written, and none does later: it is not initialised$ */ }
CASE(says) { print<<<1, 1>>>(forty() + 50); }

KERNEL(even, 1, 32) {
    int c = 0;
    if (threadIdx.x % 2 == 0) {
        c = 1;
        for (int d = 16; d > 0; d /= 2) c += __shfl_down_sync(0x55555555, c, d); /* EXPECT even: ^(?!note).* reads lane 1, which its mask 0x55555555 does not name: undefined, and the value is used */
    }
    __syncwarp();
    if (threadIdx.x == 0) *data = c;
}

/* ---- volatile and relaxed reads ---- */

#undef KERNEL
#define KERNEL(NAME) LAUNCHED(NAME, 4, 1, volatile int, true)
__device__ int wait_for(volatile int *p, int value) {
    while (*p != value) ; /* MAY no_fence no_first_fence own_grid_barrier look_back_in_two: flag */ /* MAY no_second_fence not_used: note: */
    return 1;
}
__device__ void send(volatile int *data, bool fence_of_sender, bool fence_of_readers) {
    if (blockIdx.x == 0) {
        data[1] = 5; /* MAY no_fence no_first_fence: flag */ /* MAY no_second_fence: note: */
        if (fence_of_sender) __threadfence();
        data[0] = 1; /* MAY no_fence no_first_fence: flag */ /* MAY no_second_fence: note: */
    } else {
        wait_for(data, 1);
        if (fence_of_readers) __threadfence();
        data[2 + blockIdx.x] = data[1]; /* EXPECT no_fence: ^(?!note).* nor between the two reads$ */ /* EXPECT no_first_fence: ^(?!note).* no __threadfence\(\) between the two writes$ */ /* EXPECT no_second_fence: note: .* no __threadfence\(\) after the flag was read; hardware seldom */
    }
}
KERNEL(no_fence) { send(data, false, false); }
KERNEL(no_first_fence) { send(data, false, true); }
KERNEL(no_second_fence) { send(data, true, false); }
KERNEL(fences) { send(data, true, true); }
KERNEL(not_used) {
    if (blockIdx.x == 0) data[1] = 5, data[0] = 1; /* MAY not_used: note: */
    else if (wait_for(data, 1) + data[1] > 0) data[2 + blockIdx.x] = 1; /* EXPECT not_used: note: .* but with that value this launch left the same */
}
KERNEL(relaxed_atomics) {
    cuda::atomic_ref<int, cuda::thread_scope_device> value((int &)data[1]), flag((int &)data[0]);
    if (blockIdx.x == 0) {
        value.store(5, cuda::memory_order_relaxed); /* MAY relaxed_atomics: flag */
        flag.store(1, cuda::memory_order_relaxed);  /* MAY relaxed_atomics: flag */
    } else {
        while (flag.load(cuda::memory_order_relaxed) == 0) ; /* MAY relaxed_atomics: flag */
        data[2 + blockIdx.x] = value.load(cuda::memory_order_relaxed); /* EXPECT relaxed_atomics: ^(?!note).* nor between the two reads$ */
    }
}
LAUNCHED(own_grid_barrier, 4, 32, volatile int, true) {
    data[64 + blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x + 1; /* MAY own_grid_barrier: flag */
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd((int *)data, 1); /* MAY own_grid_barrier: flag */
        wait_for(data, gridDim.x);
    }
    __syncthreads();
    unsigned next = (blockIdx.x + 1) % gridDim.x;
    data[1024 + blockIdx.x * blockDim.x + threadIdx.x] = data[64 + next * blockDim.x + threadIdx.x]; /* EXPECT own_grid_barrier: ^(?!note).* no __threadfence\(\) between the two writes */
}
KERNEL(look_back_in_one_word) {
    volatile unsigned long long *slots = (volatile unsigned long long *)data;
    unsigned long long before = 0;
    if (blockIdx.x > 0)
        while (((before = slots[blockIdx.x - 1]) >> 32) == 0) ;
    slots[blockIdx.x] = 1ull << 32 | ((unsigned)before + blockIdx.x);
}
KERNEL(look_back_in_two) {
    int before = 0;
    if (blockIdx.x > 0) {
        wait_for(&data[64 + blockIdx.x - 1], 1);
        before = data[blockIdx.x - 1]; /* EXPECT look_back_in_two: ^(?!note).* no __threadfence\(\) between the two writes */
    }
    data[blockIdx.x] = before + blockIdx.x + 1; /* MAY look_back_in_two: flag */
    data[64 + blockIdx.x] = 1; /* MAY look_back_in_two: flag */
}
KERNEL(lost_update) { data[0] = data[0] + 1; /* EXPECT lost_update: ^(?!note).* one of two such updates may be lost */ }
KERNEL(lock_without_fences) {
    while (atomicCAS((int *)data, 0, 1) != 0) ; /* MAY lock_without_fences: flag */
    data[1] = data[1] + 1; /* EXPECT lock_without_fences: ^(?!note).* nor between the two reads$ */
    atomicExch((int *)data, 0); /* MAY lock_without_fences: flag */
}
KERNEL(lost_relaxed_update) {
    cuda::atomic_ref<int, cuda::thread_scope_device> x((int &)data[0]);
    x.store(x.load(cuda::memory_order_relaxed) + 1, cuda::memory_order_relaxed); /* EXPECT lost_relaxed_update: ^(?!note).* one of two such updates may be lost */
}
KERNEL(takes_turns) {
    int v;
    while ((v = data[0]) != (int)blockIdx.x) ;
    data[0] = v + 1;
}
KERNEL(sets_a_hint) { if (data[0] < 3) data[0] = 3; }
KERNEL(compares_and_swaps) { for (int old = data[0]; atomicCAS((int *)data, old, old + 1) != old; old = data[0]) ; }

/* And under other schedules the value comes. */
static void goes_wrong(void (*kernel)(volatile int *, volatile int *)) {
    std::set<int> left;
    for (int seed = 1; seed <= 20; seed++) {
        simt_schedule(seed);
        launched<volatile int>(kernel, 4, 1, [](int) { return true; });
        left.insert(host[0] + 10 * host[1] + 100 * host[3]);
        cudaMemset(device, 0, sizeof host);
    }
    CHECK(left.size() > 1);
}
CASE(no_fence_goes_wrong) { goes_wrong(no_fence); }
CASE(look_back_goes_wrong) { goes_wrong(look_back_in_two); }
CASE(update_goes_wrong) { goes_wrong(lost_update); }
