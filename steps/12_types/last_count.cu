/*
 * last_count.cu: ./step12 --demo: one thread counts by ones, and stops where + 1 changes nothing.
 * From there on a sum of ones is stuck.
 */
#include "cuda_errors.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <stdio.h>

/* Up to 2^24 one by one; the double goes on by doubling, for it would count for months. */
template <typename T> static __global__ void count(double *stuck_at)
{
    T sum = 0.0f, one = 1.0f;
    while ((double)(float)sum < 0x1p25 && sum + one != sum)
        sum = sum + one;
    *stuck_at = (double)(float)sum;
}

template <> __global__ void count<double>(double *stuck_at)
{
    double sum = 1;
    while (sum + 1 != sum)
        sum = 2 * sum;
    *stuck_at = sum;
}

template <typename T> static void show(const char *name, double *stuck_at)
{
    double at;
    count<T><<<1, 1>>>(stuck_at);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(&at, stuck_at, sizeof at, cudaMemcpyDeviceToHost));
    printf("%-9s %.0f + 1 = %.0f\n", name, at, at);
}

extern "C" int last_count(void)
{
    double *stuck_at;
    CUDA_CHECK(cudaMalloc(&stuck_at, sizeof *stuck_at));
    show<__nv_bfloat16>("bfloat16", stuck_at);
    show<__half>("half", stuck_at);
    show<float>("float", stuck_at);
    show<double>("double", stuck_at);
    CUDA_CHECK(cudaFree(stuck_at));
    return 0;
}
