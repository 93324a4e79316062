// What kernels print, and what is known of the device.
// run: SIMT_SCHEDULE=0
// prints: Hello thread 0 of block 0, f=1.234500
// prints: Hello thread 0 of block 1, f=1.234500
// prints: Hello thread 0 of block 2, f=1.234500
// prints: timed: the clock went on
#include "cuda_runtime.h"
#include "device_launch_parameters.h"
#include "stdio.h"
#include "assert.h"

__global__ void helloCUDA(float f)
{
    if (threadIdx.x == 0)
        printf("Hello thread %d of block %d, f=%f\n", threadIdx.x, blockIdx.x, f);
    assert(f > 0);
}

__device__ void stamp(const char *what, long long began) { if (clock64() >= began) printf("%s: the clock went on\n", what); }

__global__ void timed(clock_t *timer)
{
    long long began = clock64();
    if (threadIdx.x == 0) timer[blockIdx.x] = clock();
    __syncthreads();
    if (threadIdx.x == 0) timer[blockIdx.x + gridDim.x] = clock();
    if (threadIdx.x + blockIdx.x == 0) stamp(__func__, began);
}

int main()
{
    int count;
    cudaGetDeviceCount(&count);
    for (int i = 0; i < count; i++) {
        cudaDeviceProp prop;
        cudaGetDeviceProperties(&prop, i);
        printf("Device Number: %d\n", i);
        printf("  Device name: %s\n", prop.name);
        printf("  Compute capability: %d.%d\n", prop.major, prop.minor);
        printf("  Total global memory: %zu, constant memory %zu\n", prop.totalGlobalMem, prop.totalConstMem);
        printf("  Shared memory per block: %zu, registers %d\n", prop.sharedMemPerBlock, prop.regsPerBlock);
        printf("  Warp size %d, max threads %d, dim (%d %d %d), grid (%d %d %d)\n", prop.warpSize, prop.maxThreadsPerBlock,
               prop.maxThreadsDim[0], prop.maxThreadsDim[1], prop.maxThreadsDim[2],
               prop.maxGridSize[0], prop.maxGridSize[1], prop.maxGridSize[2]);
        printf("  SMs %d, L2 %d, bus %d bits, overlap %s\n", prop.multiProcessorCount, prop.l2CacheSize, prop.memoryBusWidth,
               prop.asyncEngineCount ? "yes" : "no");
    }
    helloCUDA<<<3, 5>>>(1.2345f);
    clock_t *timer, h[4];
    cudaMalloc(&timer, sizeof h);
    timed<<<2, 64>>>(timer);
    cudaError_t cudaStatus = cudaMemcpy(h, timer, sizeof h, cudaMemcpyDeviceToHost);
    if (cudaStatus != cudaSuccess) {
        fprintf(stderr, "failed: %s\n", cudaGetErrorString(cudaStatus));
        return 1;
    }
    cudaDeviceReset();
    return count >= 1 && h[2] >= h[0] && h[3] >= h[1] ? 0 : 1;
}
