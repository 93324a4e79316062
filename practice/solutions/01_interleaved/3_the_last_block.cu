/*
 * 01-3, repair: the last block has fewer elements.
 *
 * This kernel is right whenever n is a multiple of the block size, and its author tried only
 * 1024 and 65536. `index < blockDim.x` keeps a thread within its block. What else must hold before
 * it may read idata[index + stride]? Blocks of 96 or 7 threads are asked for, too.
 *
 * Each block leaves the sum of its share of in[] in partial[blockIdx.x]; n = 0 has one block, and
 * its sum is 0. in[] may be overwritten.
 */
__global__ void block_sums(float *in, float *partial, size_t n)
{
    unsigned tid = threadIdx.x;
    size_t begin = (size_t)blockIdx.x * blockDim.x;
    unsigned count = n - begin < blockDim.x ? (unsigned)(n - begin) : blockDim.x;
    float *idata = in + begin;

    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        unsigned index = 2 * stride * tid;
        if (index + stride < count) /* what is read, must be there */
            idata[index] += idata[index + stride];
        __syncthreads();
    }
    if (tid == 0)
        partial[blockIdx.x] = count > 0 ? idata[0] : 0.0f;
}

extern "C" void launch(float *in, float *partial, size_t n, unsigned block)
{
    size_t grid = n == 0 ? 1 : (n - 1) / block + 1;
    block_sums<<<grid, block>>>(in, partial, n);
}
