/*
 * masks-2, repair: "the mask is the lanes that are here".
 *
 * Lanes beyond the end of the array stay away; __activemask() says which came. It works, in every
 * test that its author ran. Run it: what do other schedules make of it, and why? Then repair it.
 * sum_over() is all right as it is: it adds up the values of the lanes of any mask.
 *
 * Each element is read once; one atomic for each warp, where its lanes are together.
 */
/* The sum of the values of these lanes, for each of them. */
__device__ float sum_over(unsigned mask, float value)
{
    float sum = 0.0f;
    for (unsigned rest = mask; rest != 0; rest &= rest - 1)
        sum += __shfl_sync(mask, value, __ffs(rest) - 1);
    return sum;
}

__global__ void sum_of_warps(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    unsigned mask = __ballot_sync(0xffffffff, i < n); /* while all are here */
    if (i < n) {
        float sum = sum_over(mask, in[i]);
        if (threadIdx.x % 32 == 0)
            atomicAdd(out, sum);
    }
}

extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    size_t grid = n == 0 ? 1 : (n - 1) / block + 1;
    cudaMemset(out, 0, sizeof(float));
    sum_of_warps<<<grid, block>>>(in, out, n);
}
