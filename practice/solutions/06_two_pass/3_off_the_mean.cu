/*
 * 06-3, write: how far is each from the mean?
 *
 * out[i] = n * in[i] - sum of all: the distance from the mean, times n. No element can be finished
 * before all have been read, by all blocks, and nothing in a kernel waits for other blocks yet. The
 * end of a launch does. The first launch is there: partial[] has the sums of its GRID blocks. Write
 * the second, in which *every* block needs the sum of all of them.
 *
 * Two launches, no atomics. Read each element twice, not more, and each partial sum once for each
 * block. Blocks are whole warps; GRID is not more than 32.
 */
#include "library/parts/warp_sum.h" /* block_sum(): thread 0 gets the sum of the block */

enum { GRID = 16 };

__global__ void sum_blocks(const float *in, float *partial, size_t n)
{
    size_t stride = (size_t)gridDim.x * blockDim.x;
    float sum = 0.0f;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        sum += in[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sum;
}

__global__ void off_the_mean(const float *in, const float *partial, float *out, size_t n)
{
    size_t stride = (size_t)gridDim.x * blockDim.x;
    __shared__ float all;
    float sum = block_sum(threadIdx.x < GRID ? partial[threadIdx.x] : 0.0f);

    if (threadIdx.x == 0)
        all = sum;
    __syncthreads(); /* thread 0 alone has the sum */
    sum = all;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        out[i] = (float)n * in[i] - sum;
}

extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    static float *partial; /* kept from call to call */
    if (partial == NULL)
        cudaMalloc((void **)&partial, GRID * sizeof(float));
    sum_blocks<<<GRID, block>>>(in, partial, n);
    off_the_mean<<<GRID, block>>>(in, partial, out, n);
}
