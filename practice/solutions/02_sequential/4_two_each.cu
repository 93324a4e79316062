/*
 * 02-4, make it better: two elements for each thread, and half of each sector wasted.
 *
 * Each thread first adds two elements, so a block has a share of 2 * blockDim.x, and half as many
 * blocks do. It is right as it is. But the lanes of a warp take every second float: count the
 * sectors of its two loads, and choose the two elements of a thread so that no request fetches what
 * it does not need. Then look at the tree, and do the same there.
 *
 * Each block leaves the sum of its share in partial[blockIdx.x]. Blocks are powers of two. in[] may
 * be overwritten; no shared memory, no more barriers than one for each round and one before.
 */
__global__ void block_sums(float *in, float *partial, size_t n)
{
    unsigned tid = threadIdx.x;
    unsigned share = 2 * blockDim.x;
    size_t begin = (size_t)blockIdx.x * share;
    unsigned count = n - begin < share ? (unsigned)(n - begin) : share;
    float *idata = in + begin;

    for (unsigned stride = blockDim.x; stride > 0; stride /= 2) { /* the first round is the pair */
        if (tid < stride && tid + stride < count)
            idata[tid] += idata[tid + stride];
        __syncthreads();
    }
    if (tid == 0)
        partial[blockIdx.x] = count > 0 ? idata[0] : 0.0f;
}

extern "C" void launch(float *in, float *partial, size_t n, unsigned block)
{
    size_t grid = n == 0 ? 1 : (n - 1) / (2 * block) + 1;
    block_sums<<<grid, block>>>(in, partial, n);
}
