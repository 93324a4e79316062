/*
 * softmax-1, repair: one array for two agreements.
 *
 * A row for each block: out[i] = 2^(x - max) / sum, with the row's largest x and the sum of its
 * powers. (To the base of 2 all of it but the division is exact, so it can be checked to the bit.
 * The elements are x = in[i] + 124, so that 2^x alone would be infinity.) The warps of the block
 * agree twice, by way of words[], with a barrier each time. What can a fast warp do to a slow one?
 *
 * A third barrier would mend it. Find the way that needs none. Blocks are whole warps.
 */
__device__ float warp_max(float x)
{
    for (int m = 16; m > 0; m /= 2)
        x = fmaxf(x, __shfl_xor_sync(0xffffffff, x, m));
    return x;
}

__device__ float warp_sum(float x)
{
    for (int m = 16; m > 0; m /= 2)
        x += __shfl_xor_sync(0xffffffff, x, m);
    return x;
}

__global__ void softmax(const float *in, float *out, size_t n)
{
    __shared__ float words[32];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float x = i < n ? in[i] + 124 : -INFINITY;

    float max = warp_max(x);
    if (lane == 0)
        words[warp] = max;
    __syncthreads();
    max = warp_max(lane < warps ? words[lane] : -INFINITY);
    float power = exp2f(x - max);
    float sum = warp_sum(power);
    if (lane == 0)
        words[warp] = sum;
    __syncthreads();
    sum = warp_sum(lane < warps ? words[lane] : 0.0f);
    if (i < n)
        out[i] = power / sum;
}

extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    size_t grid = n == 0 ? 1 : (n - 1) / block + 1;
    softmax<<<grid, block>>>(in, out, n);
}
