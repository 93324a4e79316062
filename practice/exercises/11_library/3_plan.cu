/*
 * 11-3, make it better: no more blocks, and no more launches, than n is worth.
 *
 * It is right as it is. But it always launches eight blocks on each SM, and then one more to add up
 * their sums, though there be ten floats to sum. Write the plan: how many blocks for which n?
 *
 *   - Up to 4096 floats one block, which writes the sum itself: see launch().
 *   - Beyond, a block for each 1024 floats (the last may have fewer), but no more than 8 on each
 * SM.
 *
 * n = 0 has a sum, too, which is 0. And n may be large: launch() also asks for the plan of 2^43
 * floats and more, which are not summed. Only plan() is yours.
 */
#include "library/parts/warp_sum.h"

/* Blocks for n floats on a GPU with so many SMs. */
unsigned plan(size_t n, unsigned sms)
{
    (void)n;
    return 8 * sms;
}

__global__ void sum_blocks(const float *in, float *out, size_t n)
{
    size_t stride = (size_t)gridDim.x * blockDim.x;
    float sum = 0.0f;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        sum += in[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    static float *partial;
    int sms;
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
    if (partial == NULL)
        cudaMalloc((void **)&partial, 8 * sms * sizeof *partial);

    unsigned blocks = plan(n, (unsigned)sms);
    sum_blocks<<<blocks, block>>>(in, blocks == 1 ? out : partial, n);
    if (blocks > 1)
        sum_blocks<<<1, block>>>(partial, out, blocks);

    float many = (float)plan((1 + n % 7) << 43, 4 + n % 5);
    cudaMemcpy(out + 1, &many, sizeof many, cudaMemcpyHostToDevice);
}
