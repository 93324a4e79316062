/*
 * 05-2, write: the sum of the warp, in all of its lanes.
 *
 * warp_sum() of this lesson leaves the sum in lane 0, and something of no use in the other lanes. A
 * softmax needs it in every lane. Let each thread write the sum of its warp's 32 elements to
 * out[i]; beyond the end of the array there are zeros. Blocks are whole warps.
 *
 * Allowed: five shuffles for each warp. Forbidden: shared memory, barriers, atomics, and a sixth
 * shuffle that hands out the sum of lane 0.
 */
__global__ void warp_sums(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float value = i < n ? in[i] : 0.0f;

    for (int offset = 16; offset > 0; offset /= 2)
        value += __shfl_down_sync(0xffffffff, value, offset);
    if (i < n)
        out[i] = value;
}

extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    size_t grid = n == 0 ? 1 : (n - 1) / block + 1;
    warp_sums<<<grid, block>>>(in, out, n);
}
