/*
 * 00-4, write: the roof.
 *
 * A kernel that reads n floats and does nothing else: how long it takes is the least that any sum
 * can take. It seems to be there already. But count what it reads: a compiler leaves out whatever
 * has no effect. Change the kernel so that every float is read, once, and nothing is written.
 *
 * Allowed: a store in the text that no run with ordinary numbers comes to. The data are whole
 * numbers from -8 to 8. out[] is not checked.
 */
__global__ void read_all(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float value = 0.0f;

    if (i < n)
        value = in[i];
    (void)value, (void)out;
}

extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    size_t grid = n == 0 ? 1 : (n - 1) / block + 1;
    read_all<<<grid, block>>>(in, out, n);
}
