/*
 * 04-2, repair: shared memory, used twice.
 *
 * Four blocks share all tiles of blockDim.x elements. Of each tile a block finds the sum, in shared
 * memory, and then takes it off each element of the tile: out[i] = in[i] - sum of its tile. With
 * one tile for each block it is right. With more it is right on most days. Which threads still
 * read smem[0], and which are already at the next tile?
 *
 * Blocks are powers of two. Each element is loaded once; one more barrier for each tile is enough.
 */
__global__ void take_off(const float *in, float *out, size_t n)
{
    extern __shared__ float smem[];
    unsigned tid = threadIdx.x;

    for (size_t begin = (size_t)blockIdx.x * blockDim.x; begin < n;
         begin += (size_t)gridDim.x * blockDim.x) {
        size_t i = begin + tid;
        float value = i < n ? in[i] : 0.0f;

        smem[tid] = value;
        __syncthreads();
        for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
            if (tid < stride)
                smem[tid] += smem[tid + stride];
            __syncthreads();
        }
        if (i < n)
            out[i] = value - smem[0];
    }
}

extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    take_off<<<4, block, block * sizeof(float)>>>(in, out, n);
}
