/*
 * softmax-2, make it better: one agreement, not two.
 *
 * A row for each block: out[i] = 2^(x - max) / sum, with the row's largest x and the sum of its
 * powers. (To the base of 2 all of it but the division is exact, so it can be checked to the bit.
 * The elements are x = in[i] + 124, so that 2^x alone would be infinity.) The block agrees twice,
 * first on the maximum, then on the sum: two barriers. One is enough: let each warp work with its
 * own maximum, and mend that when the block's is known.
 *
 * Blocks are whole warps, and the last row may be short: mind the warps that have no element at
 * all. No more shuffles than now.
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
    __shared__ float maxima[32], sums[32];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float x = i < n ? in[i] + 124 : -INFINITY;

    float mine = warp_max(x);
    float power = mine > -INFINITY ? exp2f(x - mine) : 0.0f; /* without elements: no NaN */
    float sum = warp_sum(power);
    if (lane == 0) {
        maxima[warp] = mine;
        sums[warp] = sum;
    }
    __syncthreads();
    float max = warp_max(lane < warps ? maxima[lane] : -INFINITY);
    sum = warp_sum(lane < warps ? sums[lane] * exp2f(maxima[lane] - max) : 0.0f);
    if (i < n)
        out[i] = power * exp2f(mine - max) / sum;
}

extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    size_t grid = n == 0 ? 1 : (n - 1) / block + 1;
    softmax<<<grid, block>>>(in, out, n);
}
