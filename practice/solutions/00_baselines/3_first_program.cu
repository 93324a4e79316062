/*
 * 00-3, repair: three mistakes of a first program.
 *
 * out[i] is to be 2 * in[i]. The kernel is right. The host's part has three mistakes, all common,
 * and nothing here asks CUDA whether all went well. `make practice00-3` shows what becomes of
 * one after the other; the last shows only when there are many elements.
 *
 * in and out are device memory. Nothing is to be done if n is 0, but that must be no error, either.
 */
__global__ void twice(float *x, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = 2 * x[i];
}

extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    float *x;
    cudaMalloc((void **)&x, n * sizeof(float));
    cudaMemcpy(x, in, n * sizeof(float), cudaMemcpyDeviceToDevice);

    size_t grid = (n + block - 1) / block;
    if (grid > 0) /* a launch of no blocks is refused */
        twice<<<grid, block>>>(x, n);

    cudaMemcpy(out, x, n * sizeof(float), cudaMemcpyDeviceToDevice);
    cudaFree(x);
}
