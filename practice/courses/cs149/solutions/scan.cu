__global__ void upsweep(int *x, int n, int two)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x + 1) * 2 * two - 1;
    if (i < n)
        x[i] += x[i - two];
}

__global__ void downsweep(int *x, int n, int two)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x + 1) * 2 * two - 1;
    if (i < n) {
        int left = x[i - two];
        x[i - two] = x[i];
        x[i] += left;
    }
}

void exclusive_scan(const int *input, int n, int *result)
{
    int rounded = 1, *x;
    while (rounded < n)
        rounded *= 2;
    cudaMalloc(&x, rounded * sizeof(int));
    cudaMemset(x, 0, rounded * sizeof(int));
    cudaMemcpy(x, input, n * sizeof(int), cudaMemcpyDeviceToDevice);
    for (int two = 1; two < rounded; two *= 2)
        upsweep<<<(rounded / two / 2 + 127) / 128, 128>>>(x, rounded, two);
    cudaMemset(x + rounded - 1, 0, sizeof(int));
    for (int two = rounded / 2; two >= 1; two /= 2)
        downsweep<<<(rounded / two / 2 + 127) / 128, 128>>>(x, rounded, two);
    cudaMemcpy(result, x, n * sizeof(int), cudaMemcpyDeviceToDevice);
    cudaFree(x);
}
