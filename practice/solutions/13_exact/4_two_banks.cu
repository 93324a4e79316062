/*
 * 13-4, make it better: two banks for each lane.
 *
 * Right: each thread has 16 accumulators of 64 bits, and each float goes to one of them. But the
 * lanes of a warp, which go to any of theirs, meet in the banks: a request takes up to 32
 * wavefronts. With 64 bits for each of 32 lanes it needs two. Let it take no more, wherever the
 * lanes go.
 *
 * The floats still go to 16 accumulators for each thread, in shared memory. Blocks have up to 256
 * threads.
 */
#include "library/parts/warp_sum.h"

enum { ACCUMULATORS = 16, NEGATIVE = 8, MOST_THREADS = 256 };

typedef unsigned long long word;

/* In units of 2^(32 k - 150), where k is the upper three bits of the exponent. */
__device__ word significand(unsigned bits)
{
    unsigned e = bits >> 23 & 255, m = bits & 0x7fffff;
    return (word)(e > 0 ? m | 0x800000 : 2 * m) << e % 32;
}

__global__ void sum_in_accumulators(const float *in, size_t n, float *out)
{
    __shared__ word a[ACCUMULATORS][MOST_THREADS];
    unsigned tid = threadIdx.x;
    size_t stride = (size_t)gridDim.x * blockDim.x;

    for (int k = 0; k < ACCUMULATORS; k++)
        a[k][tid] = 0;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + tid; i < n; i += stride) {
        unsigned bits = __float_as_uint(in[i]);
        a[bits >> 28][tid] += significand(bits);
    }

    double sum = 0; /* of so few small floats: exact */
    for (int k = 0; k < NEGATIVE; k++)
        sum += ldexp((double)(long long)(a[k][tid] - a[k + NEGATIVE][tid]), 32 * k - 150);
    float value = warp_sum((float)sum);
    if (tid % 32 == 0)
        atomicAdd(out, value);
}

extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    cudaMemset(out, 0, sizeof(float));
    sum_in_accumulators<<<2, block>>>(in, n, out);
}
