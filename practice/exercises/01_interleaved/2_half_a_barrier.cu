/*
 * 01-2, repair: only threads that add need to wait. Or not?
 *
 * "Half of the threads have nothing to do in a round, so why should they wait?" Find out what the
 * simulator makes of that, and repair it. Each block leaves the sum of its share of in[] in
 * partial[blockIdx.x], as v1 does. in[] may be overwritten.
 *
 * Change the loop. No more barriers than one for each round.
 */
__global__ void block_sums(float *in, float *partial, size_t n)
{
    unsigned tid = threadIdx.x;
    size_t begin = (size_t)blockIdx.x * blockDim.x;
    unsigned count = n - begin < blockDim.x ? (unsigned)(n - begin) : blockDim.x;
    float *idata = in + begin;

    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        unsigned index = 2 * stride * tid;
        if (index + stride < count) {
            idata[index] += idata[index + stride];
            __syncthreads();
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
