/*
 * 03-4, make it better: a tree for each tile.
 *
 * Each block sums TILES tiles of blockDim.x elements, with the tree of lesson 02 for each. It is
 * right. But in a block of 256 that is 64 rounds, each with its barrier. While a tree is at work
 * no load is in flight. One tree is enough.
 *
 * Each block leaves the sum of its share of in[] in partial[blockIdx.x]; in[] may be overwritten.
 * Blocks are powers of two. No shared memory, no shuffles.
 */
#define TILES 8

__global__ void block_sums(float *in, float *partial, size_t n)
{
    unsigned tid = threadIdx.x;
    unsigned share = blockDim.x * TILES;
    size_t begin = (size_t)blockIdx.x * share;
    unsigned count = n - begin < share ? (unsigned)(n - begin) : share;
    float *idata = in + begin; /* idata[0] to idata[count - 1] are this block's */
    float sum = 0.0f;

#pragma unroll
    for (int k = 0; k < TILES; k++) /* all of them can be in flight at once */
        sum += tid + k * blockDim.x < count ? idata[tid + k * blockDim.x] : 0.0f;
    if (tid < count)
        idata[tid] = sum;
    __syncthreads();

    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride && tid + stride < count)
            idata[tid] += idata[tid + stride];
        __syncthreads();
    }
    if (tid == 0)
        partial[blockIdx.x] = count > 0 ? idata[0] : 0.0f;
}

extern "C" void launch(float *in, float *partial, size_t n, unsigned block)
{
    size_t grid = n == 0 ? 1 : (n - 1) / (TILES * block) + 1;
    block_sums<<<grid, block>>>(in, partial, n);
}
