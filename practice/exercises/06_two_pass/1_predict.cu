/*
 * 06-1, predict: how many ones get lost?
 *
 * Element 0 is 2^24, all others are 1. As a float 2^24 + 1 is 2^24: the one is lost. 2^24 + 2 and
 * all even numbers up to 2^25 are exact. Three sums of the same n elements; of each the question is
 * how many ones are missing. Put your numbers into answers[]; `make practice06-1` says what n and
 * the block size are, and which answers are right. Another seed asks with other numbers.
 *
 *   1. One thread adds all, element 0 first.
 *   2. Two passes, 8 blocks.
 *   3. Two passes, 16 blocks, as a larger GPU would have.
 *
 * The kernels stay as they are.
 */
#include "library/parts/warp_sum.h" /* block_sum(): thread 0 gets the sum of the block */

unsigned seed = 2;
double answers[3] = {-1, -1, -1};

__device__ float partial[16];

__device__ float element(size_t i)
{
    return i == 0 ? 16777216.0f : 1.0f;
}

__global__ void one_thread(float *sum, size_t n)
{
    *sum = 0.0f;
    for (size_t i = 0; i < n; i++)
        *sum += element(i);
}

__global__ void first_pass(size_t n)
{
    size_t stride = (size_t)gridDim.x * blockDim.x;
    float sum = 0.0f;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        sum += element(i);
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sum;
}

__global__ void second_pass(float *sum, unsigned grid)
{
    float value = block_sum(threadIdx.x < grid ? partial[threadIdx.x] : 0.0f);
    if (threadIdx.x == 0)
        *sum = value;
}

__global__ void missing_ones(float *sum, size_t n)
{
    sum[threadIdx.x] = (float)(n - 1) - (sum[threadIdx.x] - 16777216.0f);
}

extern "C" void launch(const float *, float *out, size_t n, unsigned block)
{
    one_thread<<<1, 1>>>(out + 0, n);
    first_pass<<<8, block>>>(n);
    second_pass<<<1, block>>>(out + 1, 8);
    first_pass<<<16, block>>>(n);
    second_pass<<<1, block>>>(out + 2, 16);
    missing_ones<<<1, 3>>>(out, n);
}
