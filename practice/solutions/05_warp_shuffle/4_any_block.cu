/*
 * 05-4, write: a warp of eleven lanes.
 *
 * In a block of 75 threads the last warp has eleven lanes. A mask must name those and no others,
 * and no lane may read from one that is not there: on a GPU that gives a number, and nothing says
 * which. Write warp_sum(), so that lane 0 of a warp of any number of lanes has its sum.
 *
 * Each warp adds its sum to out[0]. Allowed: five shuffles for each warp. Forbidden: shared memory,
 * barriers, more than one atomic for each warp.
 */
/* lanes: how many this warp has, 1 to 32 */
__device__ float warp_sum(float value, unsigned lanes)
{
    unsigned lane = threadIdx.x % 32, mask = 0xffffffff >> (32 - lanes);

    for (unsigned offset = 16; offset > 0; offset /= 2) {
        bool there = lane + offset < lanes;
        /* All lanes shuffle, each reads from one that is there, and adds only a partner's. */
        float other = __shfl_sync(mask, value, there ? lane + offset : lane);
        if (there)
            value += other;
    }
    return value;
}

__global__ void sum_of_warps(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned left = blockDim.x - threadIdx.x / 32 * 32; /* threads from this warp on */

    float value = warp_sum(i < n ? in[i] : 0.0f, left < 32 ? left : 32);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, value);
}

extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    size_t grid = n == 0 ? 1 : (n - 1) / block + 1;
    cudaMemset(out, 0, sizeof(float));
    sum_of_warps<<<grid, block>>>(in, out, n);
}
