/*
 * good.cu: kernels that are right and must pass, each with its result checked on
 * the host: what the simulator must do, beside what it must refuse. Prints TAP.
 */
#include "../tap.h"

#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>
namespace cg = cooperative_groups;

/* Blocks wait for one another by polling, higher numbers first. */
__global__ void turn(volatile int *next)
{
    if (threadIdx.x == 0) {
        while (*next != (int)(gridDim.x - 1 - blockIdx.x))
            ;
        *next = *next + 1;
    }
}

__global__ void lock_and_add(int *lock, volatile int *total)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0)
            ;
        __threadfence();
        *total = *total + 1;
        __threadfence();
        atomicExch(lock, 0);
    }
}

/* Reads one place many times, but it does not wait for anybody. */
__global__ void reads_on(int *out, volatile int *in)
{
    int sum = 0;
    for (int i = 0; i < 1000; i++)
        out[i] = in[0];
    for (int i = 0; i < 1000; i++)
        sum += in[0];
    out[0] = sum;
}

/* Each block's static shared memory is its own, also while others are resident. */
__global__ void own_shared(int *out)
{
    __shared__ int mine[32];
    mine[threadIdx.x] = (int)blockIdx.x;
    cg::this_grid().sync();
    out[blockIdx.x * 32 + threadIdx.x] = mine[31 - threadIdx.x];
}

template <class T> __global__ void shuffles(T *out)
{
    T lane = (T)threadIdx.x;
    out[threadIdx.x] = __shfl_down_sync(0xffffffff, lane, 3);
    out[32 + threadIdx.x] = __shfl_up_sync(0xffffffff, lane, 3);
    out[64 + threadIdx.x] = __shfl_xor_sync(0xffffffff, lane, 5);
    out[96 + threadIdx.x] = __shfl_sync(0xffffffff, lane, 2, 8);
}

__global__ void votes(unsigned *out)
{
    unsigned lane = threadIdx.x;
    out[lane] = __ballot_sync(0xffffffff, lane % 3 == 0);
    out[32 + lane] = __match_any_sync(0xffffffff, lane % 4);
    out[64 + lane] = __reduce_add_sync(0xffffffff, lane);
    out[96 + lane] =
        (unsigned)__all_sync(0xffffffff, lane < 32) + 2 * __any_sync(0xffffffff, lane == 40);
    out[128 + lane] = (unsigned)__syncthreads_count(lane % 2);
}

/* Two halves of a warp, each with its own mask, at the same time. */
__global__ void halves(int *out)
{
    unsigned mask = threadIdx.x < 16 ? 0x0000ffff : 0xffff0000;
    int v = (int)threadIdx.x;
    for (int offset = 8; offset > 0; offset /= 2)
        v += __shfl_down_sync(mask, v, offset, 16);
    out[threadIdx.x] = v;
}

__global__ void tiles(int *out)
{
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int v = (int)threadIdx.x;
    for (unsigned offset = 4; offset > 0; offset /= 2)
        v += tile.shfl_down(v, offset);
    if (tile.thread_rank() == 0)
        out[tile.meta_group_rank()] = v;
}

__global__ void three_dimensions(int *out)
{
    int block = (int)(blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z));
    int thread = (int)(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
    out[block * 24 + thread] = block * 100 + thread;
}

__constant__ int table[4];
__device__ int counter;
__global__ void symbols(int *out)
{
    out[blockIdx.x * 32 + threadIdx.x] = table[threadIdx.x % 4];
    atomicAdd(&counter, 1);
}

__global__ void wide(const float4 *in, float4 *out)
{
    float4 v = in[threadIdx.x];
    out[threadIdx.x] = make_float4(v.w, v.z, v.y, v.x);
}

int main(void)
{
    int *d, h[4096];
    bool right = true;
    if (cudaMalloc(&d, sizeof h) != cudaSuccess)
        return 1;

    cudaMemset(d, 0, sizeof h);
    turn<<<20, 32>>>(d);
    cudaMemcpy(h, d, 4, cudaMemcpyDeviceToHost);
    ok(h[0] == 20, "blocks that poll for one another all get their turn");

    cudaMemset(d, 0, sizeof h);
    lock_and_add<<<50, 64>>>(d, d + 1);
    cudaMemcpy(h, d, 8, cudaMemcpyDeviceToHost);
    ok(h[1] == 50, "a lock taken with atomicCAS");

    h[0] = 3;
    cudaMemcpy(d + 2048, h, 4, cudaMemcpyHostToDevice);
    reads_on<<<1, 1>>>(d, d + 2048);
    cudaMemcpy(h, d, 8, cudaMemcpyDeviceToHost);
    ok(h[0] == 3000 && h[1] == 3, "reading one place a thousand times is no deadlock");

    void *arguments[] = {&d};
    ok(cudaLaunchCooperativeKernel(own_shared, 32, 32, arguments) == cudaSuccess,
       "cooperative launch");
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32 * 32; i++)
        right &= h[i] == i / 32;
    ok(right, "static shared memory is kept for each resident block");
    ok(cudaLaunchCooperativeKernel(own_shared, 1000, 32, arguments) ==
           cudaErrorCooperativeLaunchTooLarge,
       "a cooperative grid that does not fit is refused");
    ok(cudaGetLastError() == cudaErrorCooperativeLaunchTooLarge &&
           cudaGetLastError() == cudaSuccess,
       "cudaGetLastError() gives the error once");

    shuffles<<<1, 32>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    right = true;
    for (int l = 0; l < 32; l++)
        right &= h[l] == (l + 3 < 32 ? l + 3 : l) && h[32 + l] == (l >= 3 ? l - 3 : l) &&
                 h[64 + l] == (l ^ 5) && h[96 + l] == l / 8 * 8 + 2;
    ok(right, "shuffles of int: down, up, xor, by lane with a width");
    double *dd, hd[128];
    cudaMalloc(&dd, sizeof hd);
    shuffles<<<1, 32>>>(dd);
    cudaMemcpy(hd, dd, sizeof hd, cudaMemcpyDeviceToHost);
    ok(hd[0] == 3 && hd[31] == 31 && hd[32 + 7] == 4 && hd[64 + 1] == 4, "shuffles of double");

    votes<<<1, 32>>>((unsigned *)d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    ok((unsigned)h[0] == 0x49249249 && (unsigned)h[33] == 0x22222222 && h[64] == 496 &&
           h[96] == 1 && h[128] == 16,
       "ballot, match, reduce, all and any, __syncthreads_count");

    halves<<<1, 32>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    ok(h[0] == 120 && h[16] == 376, "two halves of a warp with a mask each");

    tiles<<<1, 64>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    ok(h[0] == 28 && h[7] == 28 + 7 * 64, "tiles of eight lanes");

    three_dimensions<<<dim3(2, 3, 2), dim3(4, 3, 2)>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    right = true;
    for (int i = 0; i < 12 * 24; i++)
        right &= h[i] == i / 24 * 100 + i % 24;
    ok(right, "grids and blocks of three dimensions");

    int values[4] = {7, 8, 9, 10}, zero = 0;
    cudaMemcpyToSymbol(table, values, sizeof values);
    cudaMemcpyToSymbol(counter, &zero, sizeof zero);
    symbols<<<2, 32>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&zero, counter, sizeof zero);
    ok(h[5] == 8 && zero == 64, "__constant__ and __device__ variables");

    float4 *f, hf[2] = {make_float4(1, 2, 3, 4), make_float4(5, 6, 7, 8)};
    cudaMalloc(&f, sizeof hf);
    cudaMemcpy(f, hf, sizeof hf, cudaMemcpyHostToDevice);
    wide<<<1, 2>>>(f, f);
    cudaMemcpy(hf, f, sizeof hf, cudaMemcpyDeviceToHost);
    ok(hf[0].x == 4 && hf[1].w == 5, "float4");

    votes<<<1, 1025>>>((unsigned *)d);
    ok(cudaGetLastError() == cudaErrorInvalidConfiguration, "a block of 1025 threads is refused");
    votes<<<0, 32>>>((unsigned *)d);
    ok(cudaGetLastError() == cudaErrorInvalidConfiguration, "a grid of no blocks is refused");
    votes<<<1, 32, 300000>>>((unsigned *)d);
    ok(cudaGetLastError() == cudaErrorInvalidValue, "300,000 bytes of shared memory are refused");
    votes<<<1, 32, 50000>>>((unsigned *)d);
    ok(cudaGetLastError() == cudaErrorInvalidValue, "50,000 bytes that were not asked for");
    cudaFuncSetAttribute(votes, cudaFuncAttributeMaxDynamicSharedMemorySize, 50000);
    votes<<<1, 32, 50000>>>((unsigned *)d);
    ok(cudaGetLastError() == cudaSuccess, "50,000 bytes, after cudaFuncSetAttribute()");
    void *huge;
    ok(cudaMalloc(&huge, (size_t)1 << 45) == cudaErrorMemoryAllocation && !huge,
       "32 TiB are refused");
    ok(cudaMemcpy(h, d, sizeof h + 1, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue,
       "a copy of more than was allocated is refused");
    ok(cudaFree(h) == cudaErrorInvalidValue, "freeing what was never allocated is refused");

    std::vector<int> all(64, 0);
    cudaMemcpy(d, all.data(), 256, cudaMemcpyHostToDevice);
    ok(cudaFree(d) == cudaSuccess && cudaFree(nullptr) == cudaSuccess, "memory is freed");
    return done_testing();
}
