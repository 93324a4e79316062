/*
 * scan-3, write: the running sum of a whole array, tile by tile.
 *
 * One block goes over the array, a tile of blockDim.x floats at a time: out[i] = in[0] + ... +
 * in[i]. The scan of each warp is there, and so is the sum of each warp, in totals[]. What is
 * missing: the warps before this one, the tiles before this one, and whatever keeps a fast warp
 * from disturbing a slow one.
 *
 * Two barriers for each tile, no more; each element is read once; no atomics. Blocks are whole
 * warps.
 */
__device__ float warp_scan(float x)
{
    for (unsigned d = 1; d < 32; d *= 2) {
        float below = __shfl_up_sync(0xffffffff, x, d);
        if (threadIdx.x % 32 >= d)
            x += below;
    }
    return x;
}

__global__ void scan(const float *in, float *out, size_t n)
{
    __shared__ float totals[32];
    unsigned tid = threadIdx.x, warp = tid / 32, warps = blockDim.x / 32;

    for (size_t first = 0; first < n; first += blockDim.x) {
        size_t i = first + tid;
        float x = warp_scan(i < n ? in[i] : 0.0f);
        if (tid % 32 == 31)
            totals[warp] = x;
        __syncthreads();
        float before = 0.0f; /* yours: all that comes before this warp */
        (void)warps;
        if (i < n)
            out[i] = before + x;
    }
}

extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    scan<<<1, block>>>(in, out, n);
}
