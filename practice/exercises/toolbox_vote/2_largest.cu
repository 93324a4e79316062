/*
 * vote-2, make it better: the largest of 32, in one instruction.
 *
 * Each thread wants the largest in[i] / 2 of its row of 32: a butterfly of five shuffles.
 * __reduce_max_sync(mask, value) does it at once, in all lanes, but for whole numbers only. A cast
 * would lose the halves. The bits of a float are a whole number, too, and nearly in the same order:
 * find two functions, from a float to an unsigned that is in order, and back.
 *
 * Allowed: one shuffle, vote or reduction for each warp. Forbidden: shared memory. (On a GPU it
 * needs compute capability 8.0.)
 */
__global__ void largest_of_rows(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float largest = i < n ? in[i] / 2 : -INFINITY;

    for (int m = 16; m > 0; m /= 2)
        largest = fmaxf(largest, __shfl_xor_sync(0xffffffff, largest, m));
    if (i < n)
        out[i] = largest;
}

extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    size_t grid = n == 0 ? 1 : (n - 1) / block + 1;
    largest_of_rows<<<grid, block>>>(in, out, n);
}
