/*
 * Experiment absent_lanes: what does a shuffle read from a lane that is not there?
 *
 * Asks:    Source 004 runs 35 threads, and lanes 0 to 2 of the second warp read 0 from lanes 16
 *          to 18, which do not exist. It explains the 0 by their absence. Is it always 0?
 * How:     the source's kernel with 35 threads, alone and right after a kernel that leaves other
 *          numbers in the registers of every SM; then 64 threads of which the last 29 have
 *          returned before the shuffle, so that their lanes are not there either. Undefined, all
 *          three: the mask promises lanes that do not come.
 * Expect:  (written before the first run; H200) 0 in the first, what the other kernel left or 0 in
 *          the second, the returned threads' own values, 49 50 51, in the third.
 * Run:     make absent_lanes && ./absent_lanes
 */
#include "cuda_errors.h"
#include "message.h"
#include <stdio.h>

enum { THREADS = 35, WARPS = 2, REGISTERS = 24 };

/* Threads from `leave` on return early, their value in a register: they store it first, or the
   compiler would load it after the return. */
static __global__ void read_down(const float *arr, float *got, unsigned leave)
{
    unsigned tid = threadIdx.x;
    float value = arr[tid];
    got[tid] = value;
    if (tid >= leave)
        return;
    got[tid] = __shfl_down_sync(0xffffffff, value, 16);
}

/* Keeps many registers full of numbers from 1000 on, in every thread that an SM can hold. */
static __global__ void fill_registers(float *out, float first, float factor)
{
    float r[REGISTERS];
#pragma unroll
    for (int k = 0; k < REGISTERS; k++)
        r[k] = first + (float)k;
#pragma unroll 1
    for (int i = 0; i < 100; i++) {
#pragma unroll
        for (int k = 0; k < REGISTERS; k++)
            r[k] *= factor;
    }
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < REGISTERS; k++)
        sum += r[k];
    if (sum < 0.0f) /* never */
        *out = sum;
}

static void show(const char *what, const float *device_arr, float *device_got, unsigned threads)
{
    float got[WARPS * 32];
    CUDA_CHECK(cudaMemset(device_got, 0xff, sizeof got)); /* a NaN, if no thread writes */
    read_down<<<1, threads>>>(device_arr, device_got, THREADS);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(got, device_got, sizeof got, cudaMemcpyDeviceToHost));
    printf("%-44s", what);
    for (unsigned i = 32; i < THREADS; i++)
        printf("  thread %u reads %g", i, got[i]);
    printf("\n");
}

int main(int argc, char **argv)
{
    begin_program(argv[0]);
    if (argc > 1)
        return complain(STATUS_USAGE, "\"%s\": there are no options", argv[1]);
    float arr[WARPS * 32], *device_arr, *device_got;
    int device = 0, sms = 0, status = select_device(device);
    if (status >= 0)
        return status;
    for (unsigned i = 0; i < WARPS * 32; i++)
        arr[i] = (float)(i + 1);
    CUDA_CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
    CUDA_CHECK(cudaMalloc(&device_arr, sizeof arr));
    CUDA_CHECK(cudaMalloc(&device_got, sizeof arr));
    CUDA_CHECK(cudaMemcpy(device_arr, arr, sizeof arr, cudaMemcpyHostToDevice));

    show("35 threads", device_arr, device_got, 35);
    fill_registers<<<8 * sms, 256>>>(device_got, 1000.0f, 1.0f);
    CUDA_CHECK(cudaGetLastError());
    show("35 threads, after another kernel", device_arr, device_got, 35);
    show("64 threads, 29 of which have returned", device_arr, device_got, 64);
    CUDA_CHECK(cudaFree(device_arr));
    CUDA_CHECK(cudaFree(device_got));
    return 0;
}
