__global__ void saxpy_kernel(int n, float alpha, const float *x, const float *y, float *result)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        result[i] = alpha * x[i] + y[i];
}

void saxpy(int n, float alpha, float *x, float *y, float *result)
{
    float *device_x, *device_y, *device_result;
    size_t bytes = n * sizeof(float);
    cudaMalloc(&device_x, bytes);
    cudaMalloc(&device_y, bytes);
    cudaMalloc(&device_result, bytes);
    cudaMemcpy(device_x, x, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(device_y, y, bytes, cudaMemcpyHostToDevice);
    saxpy_kernel<<<(n + 511) / 512, 512>>>(n, alpha, device_x, device_y, device_result);
    cudaMemcpy(result, device_result, bytes, cudaMemcpyDeviceToHost);
    cudaFree(device_x);
    cudaFree(device_y);
    cudaFree(device_result);
}
