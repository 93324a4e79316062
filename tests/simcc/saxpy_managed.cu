// SAXPY on unified memory: one pointer for both sides.
// run: SIMT_SCHEDULE=0..3
// tier: more
#include <iostream>
#include <algorithm>
#include <cmath>
#include <cuda_runtime.h>

inline cudaError_t checkCuda(cudaError_t result)
{
  if (result != cudaSuccess) {
    std::cerr << "CUDA Runtime Error: " << cudaGetErrorString(result) << std::endl;
    std::exit(2);
  }
  return result;
}

__global__
void saxpy(int n, float a, const float * __restrict__ x, float * __restrict__ y)
{
  for (int i = blockIdx.x * blockDim.x + threadIdx.x;
       i < n;
       i += blockDim.x * gridDim.x)
    y[i] = __fmaf_rn(a, x[i], y[i]);
}

int main(void)
{
  const int N = 1 << 15;
  float *x, *y;
  int device = -1, numSMs = 0;
  checkCuda(cudaGetDevice(&device));
  checkCuda(cudaDeviceGetAttribute(&numSMs, cudaDevAttrMultiProcessorCount, device));

  // Allocate Unified Memory -- accessible from CPU or GPU
  checkCuda(cudaMallocManaged(&x, N*sizeof(float)));
  checkCuda(cudaMallocManaged(&y, N*sizeof(float), cudaMemAttachGlobal));

  for (int i = 0; i < N; i++) {
    x[i] = 1.0f;
    y[i] = 2.0f;
  }

  int minGridSize, blockSize;
  checkCuda(cudaOccupancyMaxPotentialBlockSize(&minGridSize, &blockSize, saxpy, 0, 256));
  saxpy<<<std::min(32*numSMs, minGridSize), blockSize>>>(N, 2.0f, x, y);

  // Wait for GPU to finish before accessing on host
  checkCuda(cudaDeviceSynchronize());

  float maxError = 0.0f;
  for (int i = 0; i < N; i++)
    maxError = std::max(maxError, std::abs(y[i]-4.0f));
  std::cout << "Max error: " << maxError << std::endl;

  checkCuda(cudaFree(x));
  checkCuda(cudaFree(y));
  return maxError == 0.0f ? 0 : 1;
}
