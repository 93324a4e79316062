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
/* Larger floats have larger keys: of a negative one all bits are flipped, else the sign alone. */
__device__ unsigned key_of(float x)
{
    unsigned bits = __float_as_uint(x);
    return bits >> 31 ? ~bits : bits | 0x80000000;
}

__device__ float float_of(unsigned key)
{
    return __uint_as_float(key >> 31 ? key & 0x7fffffff : ~key);
}

__global__ void largest_of_rows(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float largest = i < n ? in[i] / 2 : -INFINITY;

    largest = float_of(__reduce_max_sync(0xffffffff, key_of(largest)));
    if (i < n)
        out[i] = largest;
}

extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    size_t grid = n == 0 ? 1 : (n - 1) / block + 1;
    largest_of_rows<<<grid, block>>>(in, out, n);
}
