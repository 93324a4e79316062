/*
 * 02-2, repair: half of 7 is 3.
 *
 * v2 takes blocks of a power of two only: of 7 values the first three meet the next three, and the
 * last one is lost. Change the loop so that any block size works, 96, 100 and 7, too, and a block
 * of 256 needs no more sectors than before.
 *
 * Each block leaves the sum of its share of in[] in partial[blockIdx.x]. in[] may be overwritten.
 * No shared memory.
 */
__global__ void block_sums(float *in, float *partial, size_t n)
{
    unsigned tid = threadIdx.x;
    size_t begin = (size_t)blockIdx.x * blockDim.x;
    unsigned count = n - begin < blockDim.x ? (unsigned)(n - begin) : blockDim.x;
    float *idata = in + begin;

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
    size_t grid = n == 0 ? 1 : (n - 1) / block + 1;
    block_sums<<<grid, block>>>(in, partial, n);
}
