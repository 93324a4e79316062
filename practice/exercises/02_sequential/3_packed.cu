/*
 * 02-3, repair: neighbours, packed.
 *
 * Another way to keep what is left side by side: in each round thread t adds the neighbours 2t and
 * 2t + 1, and puts the sum into place t. Half as many values, packed; then again. Alas, place 2t of
 * one thread is place t of another, and they are in the same round.
 *
 * Repair it. You may need a second barrier in each round, but no more than that; no shared memory.
 * Each block leaves the sum of its share of in[] in partial[blockIdx.x]; in[] may be overwritten.
 */
__global__ void block_sums(float *in, float *partial, size_t n)
{
    unsigned tid = threadIdx.x;
    size_t begin = (size_t)blockIdx.x * blockDim.x;
    unsigned count = n - begin < blockDim.x ? (unsigned)(n - begin) : blockDim.x;
    float *idata = in + begin;

    for (unsigned left = count; left > 1; left = (left + 1) / 2) {
        if (2 * tid + 1 < left)
            idata[tid] = idata[2 * tid] + idata[2 * tid + 1];
        else if (2 * tid + 1 == left) /* the last one has no neighbour */
            idata[tid] = idata[2 * tid];
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
