/* silent.cu: mistakes that hardware lets pass without a word, and that the simulator notes: in one
 * line, at the latest when the program ends. Those that begin with right_ are what one means to
 * write, and nothing is noted.
 * run: SIMT_SCHEDULE=0 KERNEL
 * run: SIMT_SCHEDULE=2 KERNEL
 * run: SIMT_STRICT=1 KERNEL
 * expect: note:
 * tier: more
 */
#include "kernels.h"
#include <cooperative_groups.h>

__global__ void fill(int *data) { data[threadIdx.x] = (int)threadIdx.x; }
static int on_host[64];

/* ---- calls that fail, and copies ---- */

CASE(refused_launch) { fill<<<1, 2048>>>(device); /* EXPECT refused_launch */ }
CASE(right_asked) {
    fill<<<1, 2048>>>(device);
    CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
}
CASE(freed_twice) {
    cudaFree(device);
    cudaFree(device); /* EXPECT freed_twice */
}
CASE(wrong_kind) { cudaMemcpy(device, on_host, 64, cudaMemcpyDeviceToHost); /* EXPECT wrong_kind */ }
CASE(right_looked_at) { CHECK(cudaMemcpy(device, on_host, 64, cudaMemcpyDeviceToHost) != cudaSuccess); }

/* 64 ints, of which a kernel writes the first. */
static int *partly(int written) {
    int *data;
    cudaMalloc(&data, sizeof on_host);
    fill<<<1, written>>>(data);
    return data;
}
CASE(unwritten_copy) { cudaMemcpy(on_host, partly(32), sizeof on_host, cudaMemcpyDeviceToHost); /* EXPECT unwritten_copy */ }
CASE(elements_for_bytes) { cudaMemcpy(on_host, partly(64), 64, cudaMemcpyDeviceToHost); /* EXPECT elements_for_bytes */ }
CASE(right_quarters) {
    int *data = partly(64);
    for (int k = 0; k < 64; k += 16) cudaMemcpy(on_host + k, data + k, 64, cudaMemcpyDeviceToHost);
}
CASE(right_whole_copy) {
    int *copy = partly(32);
    cudaMemcpy(copy, partly(64), sizeof on_host, cudaMemcpyDeviceToDevice);
    cudaMemcpy(on_host, copy, sizeof on_host, cudaMemcpyDeviceToHost);
}

static int *managed() {
    int *data;
    cudaMallocManaged(&data, sizeof on_host);
    fill<<<1, 32>>>(data);
    return data;
}
CASE(host_reads_too_early) { printf("%d\n", managed()[3]); /* EXPECT host_reads_too_early */ }
CASE(right_host_waits) {
    int *data = managed();
    cudaDeviceSynchronize();
    printf("%d\n", data[3]);
}

/* 64 ints, all written, on their way to pinned memory. */
static int *arriving() {
    int *data;
    cudaMallocHost(&data, sizeof on_host);
    cudaMemcpyAsync(data, partly(64), sizeof on_host, cudaMemcpyDeviceToHost);
    return data;
}
CASE(copy_not_awaited) { printf("%d\n", arriving()[3]); /* EXPECT copy_not_awaited */ }
CASE(right_copy_awaited) {
    int *first = arriving();
    cudaStreamSynchronize(0);
    int *second = arriving();
    CHECK(first[3] == 3);
    cudaDeviceSynchronize();
    CHECK(second[3] == 3);
}
static void CUDART_CB look(void *data) { CHECK(((int *)data)[3] == 3); }
CASE(right_looked_at_in_its_stream) {
    cudaLaunchHostFunc(0, look, arriving());
    cudaLaunchHostFunc(0, look, managed());
    cudaDeviceSynchronize();
}

/* ---- arrays whose length the compiler knows ---- */

__global__ void overrun(int *data, int n) {
    int own[8];
    for (int i = 0; i < n; i++) own[i] = i; /* EXPECT local_overrun */
    data[threadIdx.x] = own[threadIdx.x % 8];
}
CASE(local_overrun) { overrun<<<1, 32>>>(device, 9); }
CASE(right_local_array) { overrun<<<1, 32>>>(device, 8); }

KERNEL(into_the_next_array, 1, 32) {
    __shared__ int first[32], second[32];
    first[threadIdx.x] = second[threadIdx.x] = 1;
    __syncthreads();
    data[threadIdx.x] = first[threadIdx.x + blockDim.x / 2]; /* EXPECT into_the_next_array */
}

/* ---- barriers in a branch ---- */

KERNEL(barrier_in_a_branch, 1, 64) {
    if (threadIdx.x % 2 == 0) {
        data[threadIdx.x] = 1;
        __syncthreads(); /* EXPECT barrier_in_a_branch */
    }
}

KERNEL(barrier_in_each_block, 2, 64) {
    if (threadIdx.x < 32) {
        data[blockIdx.x * 32 + threadIdx.x] = 1;
        __syncthreads(); /* EXPECT barrier_in_each_block */
    }
}

__global__ void last_block_is_smaller(int *data, int n) {
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n) return;
    data[i] = i;
    __syncthreads();
}
CASE(right_barrier) {
    last_block_is_smaller<<<2, 32>>>(device, 40);
    cudaDeviceSynchronize();
    last_block_is_smaller<<<1, 64>>>(device, 40);
}

/* In one block: the threads that pass by go on after the branch. */
KERNEL(barrier_in_one_block, 1, 64) {
    __shared__ int s[64];
    s[threadIdx.x] = 1;
    __syncthreads();
    for (int d = 32; d > 0; d /= 2)
        if (threadIdx.x < d) {
            s[threadIdx.x] += s[threadIdx.x + d];
            __syncthreads(); /* EXPECT barrier_in_one_block */
        }
    if (threadIdx.x == 0) data[0] = s[0];
}

__device__ void meet(int *place) {
    *place = 1;
    __syncthreads(); /* EXPECT barrier_in_a_function */
}
KERNEL(barrier_in_a_function, 1, dim3(8, 8)) {
    auto block = cooperative_groups::this_thread_block();
    if (threadIdx.y > 4) data[block.thread_rank()] = 2;
    else meet(&data[block.thread_rank()]);
}

/* With 100 elements for 64 threads, 28 of these leave one round early. */
__global__ void rounds(int *data, int n) {
    for (int i = (int)threadIdx.x; i < n; i += (int)blockDim.x) {
        data[threadIdx.x] = i;
        __syncthreads(); /* EXPECT barrier_in_a_loop */
    }
}
CASE(barrier_in_a_loop) { rounds<<<1, 64>>>(device, 100); }
CASE(right_loop) { rounds<<<1, 64>>>(device, 128); }

KERNEL(barrier_in_a_switch, 1, 64) {
    switch (threadIdx.x / 32) {
    case 0:
        data[threadIdx.x] = 1;
        __syncthreads(); /* EXPECT barrier_in_a_switch */
        break;
    default:
        data[threadIdx.x] = 2;
    }
}

KERNEL(barrier_in_a_bare_loop, 1, 64) {
    for (int i = (int)threadIdx.x; i < 96; i += 64) data[threadIdx.x] = i, __syncthreads(); /* EXPECT barrier_in_a_bare_loop */
}

__device__ int first_half(int *data) {
    if (threadIdx.x >= 32) return 1;
    data[threadIdx.x] = 0;
    __syncthreads(); /* EXPECT barrier_after_a_return */
    return 2;
}
KERNEL(barrier_after_a_return, 1, 64) {
    int made = first_half(data);
    data[threadIdx.x] = made;
}

/* All pass each barrier that they come to, or have left the kernel before. */
__device__ int all_meet(int *data) {
    data[threadIdx.x]++;
    __syncthreads();
    return 1;
}
struct two { int first, second; };
__global__ void leaves_between(int *data, int n) {
    int k = 0;
    two pair[2] = {};
    for (int i = 0; i < 2; i++) pair[i] = {all_meet(data), i};
    for (all_meet(data); k < 2; all_meet(data)) k++;
    if (threadIdx.x >= 32) return;
    switch (n) {
    case 0:
        return;
    default:
        for (int i = 0; i < n; i++) all_meet(data);
    }
    if (n) all_meet(data);
    else all_meet(data), data[0] = 1;
    do
        __syncthreads();
    while (k++ < 3 + pair[0].second);
}
CASE(right_calls) { leaves_between<<<1, 64>>>(device, 3); }

/* None passes by: all take a branch, or left before, or it is a warp that meets. */
template <int N> __global__ void branches_of_all(int *data, int n) {
    auto tile = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
    if (threadIdx.x < 32) tile.sync();
    if (threadIdx.x >= n) return;
    for (int k = 0; k < 4; k++)
        if (k % 2 == N) __syncthreads();
    if (N > 0) __syncthreads();
    if (int k = n) __syncthreads(), data[threadIdx.x] = k;
}
CASE(right_branches) {
    branches_of_all<0><<<1, 64>>>(device, 40);
    branches_of_all<1><<<1, 64>>>(device, 40);
}
