/*
 * masks-3, make it better: two branches, eight shuffles.
 *
 * Of each row of 32 floats the lower 16 lanes find the sum, the upper 16 the largest. The masks are
 * right: each branch names those that are in it. But a warp that has parted goes both ways, one
 * after the other, and shuffles eight times. Four are enough. What in the branches must differ?
 *
 * out[2r] is the sum of row r's first 16 floats, out[2r + 1] the largest of its last 16, -INFINITY
 * if there are none. Blocks are whole warps. No shared memory.
 */
__global__ void halves(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned lane = threadIdx.x % 32;
    bool lower = lane < 16;
    float value = i < n ? in[i] : lower ? 0.0f : -INFINITY;

    for (int m = 8; m > 0; m /= 2) {
        float other = __shfl_xor_sync(0xffffffff, value, m); /* all come, none leaves its half */
        value = lower ? value + other : fmaxf(value, other);
    }
    if (lane % 16 == 0 && i - lane < n)
        out[i / 16] = value;
}

extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    size_t grid = n == 0 ? 1 : (n - 1) / block + 1;
    halves<<<grid, block>>>(in, out, n);
}
