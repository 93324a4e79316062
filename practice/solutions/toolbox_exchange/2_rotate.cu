/*
 * exchange-2, repair: moved on by one.
 *
 * Each row of 32 floats shall move on by one: out[i] is the next float of its row, and the last
 * float of a row takes the first one. The last row may be shorter: so may its last float. The
 * author thought that a shuffle down goes round.
 *
 * Allowed: one shuffle for each warp. Forbidden: shared memory, and to load an element twice.
 */
__global__ void rotate(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float value = i < n ? in[i] : 0.0f;

    unsigned lane = threadIdx.x % 32; /* lane 32 is lane 0 again */
    float next = __shfl_sync(0xffffffff, value, i + 1 < n ? lane + 1 : 0);
    if (i < n)
        out[i] = next;
}

extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    size_t grid = n == 0 ? 1 : (n - 1) / block + 1;
    rotate<<<grid, block>>>(in, out, n);
}
