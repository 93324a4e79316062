/*
 * 12-2, repair: 64 bits, too late.
 *
 * The sum of integers is handed out in 64 bits, and yet it is wrong as soon as a few large ones
 * come together: it wraps. Without a word, for nothing is wrong with 32 bits but their number.
 * Repair the sum: all 64 bits of it have to be right, for up to 2^32 integers of any size.
 *
 * One atomic for each warp. The integers stay in 32 bits: more bytes would take more time. No float
 * and no double: they have too few bits. launch() and what it calls besides stay as they are.
 */
typedef unsigned long long word; /* the type that atomicAdd() has for 64 bits */

__device__ int warp_total(int value)
{
    for (int offset = 16; offset > 0; offset /= 2)
        value += __shfl_down_sync(0xffffffff, value, offset);
    return value;
}

__global__ void sum_integers(const int *in, size_t n, word *out)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t stride = (size_t)gridDim.x * blockDim.x;
    int sum = 0;

    for (; i < n; i += stride)
        sum += in[i];
    sum = warp_total(sum);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, (word)(long long)sum);
}

__global__ void make_large(const float *in, size_t n, int *large)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        large[i] = (int)in[i] * (1 << 27) + 1; /* 8 becomes 2^30 + 1: every bit counts */
}

__global__ void make_small(const word *sum, size_t n, float *out)
{
    *out = (float)((double)(long long)(*sum - n) / (1 << 27));
}

extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    size_t grid = n == 0 ? 1 : (n - 1) / block + 1;
    int *large;
    word *sum;
    cudaMalloc((void **)&large, (n + 1) * sizeof *large);
    cudaMalloc((void **)&sum, sizeof *sum);
    cudaMemset(sum, 0, sizeof *sum);

    make_large<<<grid, block>>>(in, n, large);
    sum_integers<<<2, block>>>(large, n, sum);
    make_small<<<1, 1>>>(sum, n, out);
    cudaFree(sum);
    cudaFree(large);
}
