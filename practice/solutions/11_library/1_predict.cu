/*
 * 11-1, predict: how deep is the sum?
 *
 * A library promises how wrong its sum may be: at most depth * 2^-24 * (|in[0]| + |in[1]| + ...).
 * The depth is how many additions lie on the longest way from an element to the sum. Here nothing
 * is summed but depths: add() is an addition that counts. Put your numbers into answers[]; `make
 * practice11-1` says what n and the block size are, and which answers are right. Another seed asks
 * with other numbers.
 *
 *   1. The depth of what a thread has read: float4, whose four members are summed apart.
 *   2. The depth of a block's sum.
 *   3. The depth of the whole sum: a second launch of one warp adds up 16 blocks.
 *
 * The kernels stay as they are.
 */
unsigned seed = 4;
double answers[3] = {10, 20, 25};

/* The depth of a + b, where a and b have these. */
__device__ unsigned add(unsigned a, unsigned b)
{
    return (a > b ? a : b) + 1;
}

__device__ unsigned warp_depth(unsigned depth)
{
    for (int offset = 16; offset > 0; offset /= 2)
        depth = add(depth, __shfl_down_sync(0xffffffff, depth, offset));
    return depth;
}

__global__ void depth_of_blocks(size_t n, unsigned *partial, float *out)
{
    __shared__ unsigned smem[32];
    unsigned tid = threadIdx.x, x = 0; /* of the zero that it begins with; y, z and w go alike */
    size_t first = (size_t)blockIdx.x * blockDim.x + tid;

    for (size_t i = first; i < n / 4; i += (size_t)gridDim.x * blockDim.x)
        x = add(x, 0);                          /* sum.x += v.x */
    unsigned depth = add(add(x, x), add(x, x)); /* (sum.x + sum.y) + (sum.z + sum.w) */
    if (first == 0)
        out[0] = (float)depth;

    depth = warp_depth(depth);
    if (tid % 32 == 0)
        smem[tid / 32] = depth;
    __syncthreads();
    if (tid >= 32)
        return;
    depth = warp_depth(tid < blockDim.x / 32 ? smem[tid] : 0);
    if (tid == 0)
        partial[blockIdx.x] = depth;
    if (first == 0)
        out[1] = (float)depth;
}

__global__ void depth_of_grid(const unsigned *partial, float *out)
{
    unsigned depth = warp_depth(threadIdx.x < 16 ? partial[threadIdx.x] : 0);
    if (threadIdx.x == 0)
        out[2] = (float)depth;
}

extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    unsigned *partial;
    cudaMalloc((void **)&partial, 16 * sizeof *partial);
    depth_of_blocks<<<16, block>>>(n, partial, out);
    depth_of_grid<<<1, 32>>>(partial, out);
    cudaFree(partial);
}
