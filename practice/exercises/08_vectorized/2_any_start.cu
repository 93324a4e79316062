/*
 * 08-2, repair: an array that begins anywhere.
 *
 * Right for whatever cudaMalloc() returns: that is a multiple of 256. But a caller may pass the
 * array from its second element on. A float4 must begin at a multiple of 16 bytes, and the array
 * is not moved for you. Repair the kernel.
 *
 * Allowed: a few loads of one float at either end. Forbidden: to read the body with less than 16
 * bytes at a time, wherever it begins, and any element twice. Blocks are whole warps.
 */
#include "library/parts/warp_sum.h"
#include <stdint.h>

__global__ void sum_of_vectors(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t vectors = n / 4, tail = n % 4;
    const float4 *body = (const float4 *)in;
    float sum = 0.0f;

    if (i < vectors) {
        float4 v = body[i];
        sum = (v.x + v.y) + (v.z + v.w);
    }
    if (i < tail)
        sum += in[n - tail + i];
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        atomicAdd(out, sum);
}

extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    size_t grid = n == 0 ? 1 : (n - 1) / (4 * block) + 1;
    cudaMemset(out, 0, sizeof(float));
    sum_of_vectors<<<grid, block>>>(in, out, n);
}
