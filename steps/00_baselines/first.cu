/*
 * first: a whole CUDA program in one file: numbers go to the GPU, are doubled there, and come back.
 *
 * It takes nothing from the rest of this repository. With a GPU and NVIDIA's compiler:
 *     nvcc steps/00_baselines/first.cu -o first && ./first
 * Without a GPU:
 *     simulator/simcc steps/00_baselines/first.cu -o first && ./first
 */
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error, const char *what)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
        exit(1);
    }
}

__global__ void twice(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = 2 * x[i];
}

int main(void)
{
    const int n = 1000;
    float host[n];
    for (int i = 0; i < n; i++)
        host[i] = i + 1;

    float *device;
    check(cudaMalloc(&device, sizeof host), "cudaMalloc");
    check(cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice), "copy to the device");

    int block = 256, grid = (n + block - 1) / block;
    twice<<<grid, block>>>(device, n);
    check(cudaGetLastError(), "launch");
    check(cudaDeviceSynchronize(), "kernel");

    check(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost), "copy to the host");
    check(cudaFree(device), "cudaFree");
    printf("%d floats doubled: the first is %g, the last %g\n", n, host[0], host[n - 1]);
    return 0;
}
