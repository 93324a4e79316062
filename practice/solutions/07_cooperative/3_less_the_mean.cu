/*
 * 07-3, write: each element, less the mean of all.
 *
 * out[i] = in[i] - mean: no thread can write before all elements have been read. With two
 * launches the second would have to read the array again. Here a register keeps the element: there
 * is a thread for each, and all threads are on the GPU at once.
 *
 * Forbidden: atomics, a second launch, and reading an element of in[] twice. Each block may read
 * all partial sums, once. block_sum() of lesson 05 leaves the block's sum in thread 0; between two
 * calls there must be a barrier. Blocks are whole warps; n is as large as fits.
 */
#include "library/parts/warp_sum.h"
#include <cooperative_groups.h>

__global__ void less_the_mean(const float *in, float *partial, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float mine = i < n ? in[i] : 0.0f;
    __shared__ float mean;

    float sum = block_sum(mine);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sum;
    cooperative_groups::this_grid().sync(); /* all sums are there, and block_sum() may go again */
    sum = 0.0f;
    for (unsigned k = threadIdx.x; k < gridDim.x; k += blockDim.x)
        sum += partial[k];
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        mean = sum / n;
    __syncthreads();
    if (i < n)
        out[i] = mine - mean;
}

extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    static float *partial; /* a place for each block */
    if (partial == NULL)
        cudaMalloc((void **)&partial, 8192 * sizeof *partial);
    void *args[] = {&in, &partial, &out, &n};
    unsigned grid = (unsigned)(n == 0 ? 1 : (n - 1) / block + 1);
    cudaLaunchCooperativeKernel((const void *)less_the_mean, grid, block, args, 0, 0);
}
