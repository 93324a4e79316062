/*
 * 03-2, repair: the last warp, as it was written for a decade.
 *
 * Until 2017 the lanes of a warp went in step, and a warp's last rounds needed no barrier. This is
 * how it was done. Since Volta a lane may run ahead. Repair it, for the warp only: the other warps
 * stay out of the last rounds.
 *
 * Each block leaves the sum of its share of in[] in partial[blockIdx.x]; in[] may be overwritten.
 * Blocks are powers of two, 64 or more. No shared memory, no shuffles.
 */
__global__ void block_sums(float *in, float *partial, size_t n)
{
    unsigned tid = threadIdx.x;
    size_t begin = (size_t)blockIdx.x * blockDim.x;
    unsigned count = n - begin < blockDim.x ? (unsigned)(n - begin) : blockDim.x;
    float *idata = in + begin;

    for (unsigned stride = blockDim.x / 2; stride > 32; stride /= 2) {
        if (tid < stride && tid + stride < count)
            idata[tid] += idata[tid + stride];
        __syncthreads();
    }
    if (tid < 32) {
        for (unsigned stride = 32; stride > 0; stride /= 2) {
            if (tid + stride < count)
                idata[tid] += idata[tid + stride];
        }
    }
    if (tid == 0)
        partial[blockIdx.x] = count > 0 ? idata[0] : 0.0f;
}

extern "C" void launch(float *in, float *partial, size_t n, unsigned block)
{
    size_t grid = n == 0 ? 1 : (n - 1) / block + 1;
    block_sums<<<grid, block>>>(in, partial, n);
}
