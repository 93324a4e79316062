/*
 * silent.cu: mistakes that hardware lets pass without a word, and that the simulator notes: in one
 * line, at the latest when the program ends. The lines that it must name carry the mark "NOTE
 * name". `silent NAME SEED` runs one; without a name it lists them. Those that begin with right_
 * are what one means to write, and nothing is noted.
 */
#include "../../simulator/simt.h"
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void fill(int *data)
{
    data[threadIdx.x] = (int)threadIdx.x;
}

__global__ void overrun(int *data, int n)
{
    int own[8];
    for (int i = 0; i < n; i++)
        own[i] = i; /* NOTE local_overrun */
    data[threadIdx.x] = own[threadIdx.x % 8];
}

__global__ void into_the_next(int *data, int n)
{
    __shared__ int first[32], second[32];
    first[threadIdx.x] = second[threadIdx.x] = 1;
    __syncthreads();
    data[threadIdx.x] = first[threadIdx.x + n]; /* NOTE into_the_next_array */
}

__global__ void even_threads_wait(int *data)
{
    if (threadIdx.x % 2 == 0) {
        data[threadIdx.x] = 1;
        __syncthreads(); /* NOTE barrier_in_a_branch */
    }
}

__global__ void half_of_each_block_waits(int *data)
{
    if (threadIdx.x < 32) {
        data[blockIdx.x * 32 + threadIdx.x] = 1;
        __syncthreads(); /* NOTE barrier_in_each_block */
    }
}

__global__ void last_block_is_smaller(int *data, int n)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n)
        return;
    data[i] = i;
    __syncthreads();
}

/* In one block: the threads that pass by go on after the branch. */
__global__ void upper_half_passes_by(int *data)
{
    __shared__ int s[64];
    s[threadIdx.x] = 1;
    __syncthreads();
    for (int d = 32; d > 0; d /= 2)
        if (threadIdx.x < d) {
            s[threadIdx.x] += s[threadIdx.x + d];
            __syncthreads(); /* NOTE barrier_in_one_block */
        }
    if (threadIdx.x == 0)
        data[0] = s[0];
}

__device__ void meet(int *place)
{
    *place = 1;
    __syncthreads(); /* NOTE barrier_in_a_function */
}

__global__ void only_the_others_meet(int *data)
{
    auto block = cooperative_groups::this_thread_block();
    if (threadIdx.y > 4)
        data[block.thread_rank()] = 2;
    else
        meet(&data[block.thread_rank()]);
}

/* With 100 elements for 64 threads, 28 of these leave one round early. */
__global__ void rounds_differ(int *data, int n)
{
    for (int i = (int)threadIdx.x; i < n; i += (int)blockDim.x) {
        data[threadIdx.x] = i;
        __syncthreads(); /* NOTE barrier_in_a_loop */
    }
}

__global__ void cases_differ(int *data)
{
    switch (threadIdx.x / 32) {
    case 0:
        data[threadIdx.x] = 1;
        __syncthreads(); /* NOTE barrier_in_a_switch */
        break;
    default:
        data[threadIdx.x] = 2;
    }
}

__global__ void bare_rounds_differ(int *data)
{
    for (int i = (int)threadIdx.x; i < 96; i += 64)
        data[threadIdx.x] = i, __syncthreads(); /* NOTE barrier_in_a_bare_loop */
}

__device__ int first_half(int *data)
{
    if (threadIdx.x >= 32)
        return 1;
    data[threadIdx.x] = 0;
    __syncthreads(); /* NOTE barrier_after_a_return */
    return 2;
}

__global__ void returns_early(int *data)
{
    int made = first_half(data);
    data[threadIdx.x] = made;
}

/* All pass each barrier that they come to, or have left the kernel before. */
__device__ int all_meet(int *data)
{
    data[threadIdx.x]++;
    __syncthreads();
    return 1;
}
struct two {
    int first, second;
};
__global__ void leaves_between(int *data, int n)
{
    int k = 0;
    two pair[2] = {};
    for (int i = 0; i < 2; i++)
        pair[i] = {all_meet(data), i};
    for (all_meet(data); k < 2; all_meet(data))
        k++;
    if (threadIdx.x >= 32)
        return;
    switch (n) {
    case 0:
        return;
    default:
        for (int i = 0; i < n; i++)
            all_meet(data);
    }
    if (n)
        all_meet(data);
    else
        all_meet(data), data[0] = 1;
    do
        __syncthreads();
    while (k++ < 3 + pair[0].second);
}

/* None passes by: all take a branch, or left before, or it is a warp that meets. */
template <int N> __global__ void branches_of_all(int *data, int n)
{
    auto tile = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
    if (threadIdx.x < 32)
        tile.sync();
    if (threadIdx.x >= n)
        return;
    for (int k = 0; k < 4; k++)
        if (k % 2 == N)
            __syncthreads();
    if (N > 0)
        __syncthreads();
    if (int k = n)
        __syncthreads(), data[threadIdx.x] = k;
}

static int on_host[64];

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int *data, *other, *managed;
    simt_schedule(argc > 2 ? strtoull(argv[2], NULL, 10) : 0);
    cudaMalloc(&data, sizeof on_host);
    cudaMalloc(&other, sizeof on_host);
    cudaMallocManaged(&managed, sizeof on_host);
#define CASE(NAME)                                                                                 \
    if (argc == 1)                                                                                 \
        puts(#NAME);                                                                               \
    else if (strcmp(name, #NAME) == 0)

    CASE(refused_launch)
    fill<<<1, 2048>>>(data); /* NOTE refused_launch */
    CASE(right_asked)
    {
        fill<<<1, 2048>>>(data);
        printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    }
    CASE(freed_twice)
    {
        cudaFree(data);
        cudaFree(data); /* NOTE freed_twice */
    }
    CASE(wrong_kind)
    {
        cudaMemcpy(data, on_host, 64, cudaMemcpyDeviceToHost); /* NOTE wrong_kind */
    }
    CASE(right_looked_at)
    if (cudaMemcpy(data, on_host, 64, cudaMemcpyDeviceToHost) != cudaSuccess)
        puts("it fails");
    CASE(unwritten_copy)
    {
        fill<<<1, 32>>>(data);
        cudaMemcpy(on_host, data, sizeof on_host, cudaMemcpyDeviceToHost); /* NOTE unwritten_copy */
    }
    CASE(elements_for_bytes)
    {
        fill<<<1, 64>>>(data);
        cudaMemcpy(on_host, data, 64, cudaMemcpyDeviceToHost); /* NOTE elements_for_bytes */
    }
    CASE(right_quarters)
    {
        fill<<<1, 64>>>(data);
        for (int k = 0; k < 64; k += 16)
            cudaMemcpy(on_host + k, data + k, 64, cudaMemcpyDeviceToHost);
    }
    CASE(right_whole_copy)
    {
        fill<<<1, 64>>>(data);
        cudaMemcpy(other, data, sizeof on_host, cudaMemcpyDeviceToDevice);
        cudaMemcpy(on_host, other, sizeof on_host, cudaMemcpyDeviceToHost);
    }
    CASE(host_reads_too_early)
    {
        fill<<<1, 32>>>(managed);
        printf("%d\n", managed[3]); /* NOTE host_reads_too_early */
    }
    CASE(right_host_waits)
    {
        fill<<<1, 32>>>(managed);
        cudaDeviceSynchronize();
        printf("%d\n", managed[3]);
    }
    CASE(local_overrun)
    overrun<<<1, 32>>>(data, 9);
    CASE(right_local_array)
    overrun<<<1, 32>>>(data, 8);
    CASE(into_the_next_array)
    into_the_next<<<1, 32>>>(data, 16);
    CASE(barrier_in_a_branch)
    even_threads_wait<<<1, 64>>>(data);
    CASE(barrier_in_each_block)
    half_of_each_block_waits<<<2, 64>>>(data);
    CASE(barrier_in_one_block)
    upper_half_passes_by<<<1, 64>>>(data);
    CASE(barrier_in_a_function)
    only_the_others_meet<<<1, dim3(8, 8)>>>(data);
    CASE(barrier_in_a_loop)
    rounds_differ<<<1, 64>>>(data, 100);
    CASE(barrier_in_a_switch)
    cases_differ<<<1, 64>>>(data);
    CASE(barrier_in_a_bare_loop)
    bare_rounds_differ<<<1, 64>>>(data);
    CASE(barrier_after_a_return)
    returns_early<<<1, 64>>>(data);
    CASE(right_calls)
    {
        cudaMemset(data, 0, sizeof on_host);
        leaves_between<<<1, 64>>>(data, 3);
    }
    CASE(right_loop)
    rounds_differ<<<1, 64>>>(data, 128);
    CASE(right_branches)
    {
        branches_of_all<0><<<1, 64>>>(data, 40);
        branches_of_all<1><<<1, 64>>>(data, 40);
    }
    CASE(right_barrier)
    {
        last_block_is_smaller<<<2, 32>>>(data, 40);
        cudaDeviceSynchronize();
        last_block_is_smaller<<<1, 64>>>(data, 40);
    }
    return 0;
}
