/* A histogram: each block counts in shared memory, and adds its counts at the end. */
#define BLOCK 256
#define BINS  256

__global__ void count_pixels(const unsigned char *pixels, unsigned *bins, int n)
{
    __shared__ unsigned own[BINS];
    own[threadIdx.x] = 0;
    __syncthreads(); /* all are 0 */
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK)
        atomicAdd(&own[pixels[i]], 1);
    __syncthreads(); /* all are counted */
    atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

void histogram(const unsigned char *pixels, unsigned *bins, int n)
{
    int blocks = (n + BLOCK - 1) / BLOCK;
    blocks = blocks < 8 ? blocks : 8;
    cudaMemset(bins, 0, BINS * sizeof *bins);
    if (blocks > 0)
        count_pixels<<<blocks, BLOCK>>>(pixels, bins, n);
}
