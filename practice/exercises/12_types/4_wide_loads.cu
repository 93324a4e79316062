/*
 * 12-4, make it better: eight halves a load.
 *
 * Right, and it adds in floats. But each load of a warp asks for 64 bytes: halves are loaded one by
 * one. Let each lane load 16 bytes, 8 halves, as long as there are so many, and the warp asks for
 * 512 at once.
 *
 * in[] may begin at any even address, and n is any number: what lies before the first multiple of
 * 16 and after the last full 16 bytes, up to 7 halves each, is loaded as it is now. All is still
 * loaded once. Only sum_halves() is yours.
 */
#include "library/parts/warp_sum.h"
#include <cuda_fp16.h>
#include <stdint.h>

__global__ void sum_halves(const __half *in, size_t n, float *out)
{
    size_t first = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t stride = (size_t)gridDim.x * blockDim.x;
    float sum = 0.0f;

    for (size_t i = first; i < n; i += stride)
        sum += __half2float(in[i]);

    sum = warp_sum(sum);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, sum);
}

__global__ void make_halves(const float *in, size_t n, __half *halves)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        halves[i] = __float2half(in[i]);
}

extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    size_t grid = n == 0 ? 1 : (n - 1) / block + 1;
    size_t before = n % 8; /* so they begin at all even addresses */
    __half *halves;
    cudaMalloc((void **)&halves, (before + n + 1) * sizeof *halves);
    cudaMemset(out, 0, sizeof(float));

    make_halves<<<grid, block>>>(in, n, halves + before);
    sum_halves<<<2, block>>>(halves + before, n, out);
    cudaFree(halves);
}
