/*
 * 13-3, write: a known range.
 *
 * All elements are multiples of 2^-24, and none is larger than 2^32: so each is a whole number of
 * units of 2^-24. Write the kernel: add them up as whole numbers, and to *units with one atomic for
 * each warp. The array has small elements and huge ones that cancel: floats lose the small ones,
 * and so do doubles.
 *
 * The sum of all fits 63 bits. Sums of a part may not, and need not: unsigned whole numbers wrap,
 * and come back. atomicAdd() has them, too, as `word` below. Blocks are whole warps, and few of
 * them: each thread needs a loop.
 */
typedef unsigned long long word;

__global__ void sum_units(const float *in, size_t n, word *units)
{
    size_t stride = (size_t)gridDim.x * blockDim.x;
    word sum = 0;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        sum += (word)llrintf(in[i] * (1 << 24)); /* a power of two: nothing is rounded */
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (threadIdx.x % 32 == 0)
        atomicAdd(units, sum);
}

__global__ void add_huge(const float *in, size_t n, float *more)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    more[i] = 0x1p32f;
    more[n + i] = in[i] * 0x1p-24f;
    more[2 * n + i] = 512 - 0x1p32f; /* the next float */
    more[3 * n + i] = -512;
}

__global__ void round_once(const word *units, float *out)
{
    *out = (float)(long long)*units;
}

extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    float *more;
    word *units;
    cudaMalloc((void **)&more, (4 * n + 1) * sizeof *more);
    cudaMalloc((void **)&units, sizeof *units);
    cudaMemset(units, 0, sizeof *units);

    add_huge<<<n == 0 ? 1 : (n - 1) / block + 1, block>>>(in, n, more);
    sum_units<<<4, block>>>(more, 4 * n, units);
    round_once<<<1, 1>>>(units, out);
    cudaFree(units);
    cudaFree(more);
}
