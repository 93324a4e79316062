/*
 * 64-bin and 256-bin histograms, in the manner of the SDK samples: bytes packed in
 * words, sub-histograms in shared memory, merged with global atomics.
 */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned int uint;
typedef unsigned char uchar;

#define HISTOGRAM256_BIN_COUNT 256
#define WARP_COUNT 4
#define UMUL(a, b) __umul24((a), (b))

template <typename T>
void check(T result, char const *const func, const char *const file, int const line) {
  if (result) {
    fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\" \n", file, line,
            static_cast<unsigned int>(result), cudaGetErrorName(result), func);
    exit(EXIT_FAILURE);
  }
}
// This will output the proper CUDA error strings in the event
// that a CUDA host call returns an error
#define checkCudaErrors(val) check((val), #val, __FILE__, __LINE__)

inline __device__ void addByte(uint *s_WarpHist, uint data) { atomicAdd(s_WarpHist + data, 1); }

inline __device__ void addWord(uint *s_WarpHist, uint data) {
  addByte(s_WarpHist, (data >> 0) & 0xFFU);
  addByte(s_WarpHist, (data >> 8) & 0xFFU);
  addByte(s_WarpHist, (data >> 16) & 0xFFU);
  addByte(s_WarpHist, (data >> 24) & 0xFFU);
}

__global__ void histogram256Kernel(uint *d_Histogram, const uint *d_Data, uint dataCount) {
  // Per-warp subhistogram storage
  __shared__ uint s_Hist[WARP_COUNT * HISTOGRAM256_BIN_COUNT];
  uint *s_WarpHist = s_Hist + (threadIdx.x >> 5) * HISTOGRAM256_BIN_COUNT;

  for (uint i = threadIdx.x; i < WARP_COUNT * HISTOGRAM256_BIN_COUNT; i += blockDim.x)
    s_Hist[i] = 0;
  __syncthreads();

  for (uint pos = UMUL(blockIdx.x, blockDim.x) + threadIdx.x; pos < dataCount;
       pos += UMUL(blockDim.x, gridDim.x))
    addWord(s_WarpHist, d_Data[pos]);

  // Merge per-warp histograms
  __syncthreads();
  for (uint bin = threadIdx.x; bin < HISTOGRAM256_BIN_COUNT; bin += blockDim.x) {
    uint sum = 0;
    for (uint i = 0; i < WARP_COUNT; i++)
      sum += s_Hist[bin + i * HISTOGRAM256_BIN_COUNT];
    if (sum) atomicAdd(&d_Histogram[bin], sum);
  }
}

int main(int argc, char **argv) {
  const uint byteCount = 64 * 1024 + 4 * 13;
  uchar *h_Data = (uchar *)malloc(byteCount);
  uint h_CPU[HISTOGRAM256_BIN_COUNT] = {0}, h_GPU[HISTOGRAM256_BIN_COUNT];
  srand(2009);
  for (uint i = 0; i < byteCount; i++) {
    h_Data[i] = i % 3 ? rand() % 256 : 77; // one crowded bin
    h_CPU[h_Data[i]]++;
  }

  uchar *d_Data;
  uint *d_Histogram;
  checkCudaErrors(cudaMalloc((void **)&d_Data, byteCount));
  checkCudaErrors(cudaMalloc((void **)&d_Histogram, sizeof h_GPU));
  checkCudaErrors(cudaMemcpy(d_Data, h_Data, byteCount, cudaMemcpyHostToDevice));
  checkCudaErrors(cudaMemset(d_Histogram, 0, sizeof h_GPU));
  histogram256Kernel<<<6, WARP_COUNT * 32>>>(d_Histogram, (uint *)d_Data,
                                             byteCount / sizeof(uint));
  checkCudaErrors(cudaMemcpy(h_GPU, d_Histogram, sizeof h_GPU, cudaMemcpyDeviceToHost));

  bool same = memcmp(h_CPU, h_GPU, sizeof h_CPU) == 0;
  printf(same ? "...histograms match\n" : " ***histograms do not match!!!***\n");
  checkCudaErrors(cudaFree(d_Data));
  checkCudaErrors(cudaFree(d_Histogram));
  free(h_Data);
  exit(same ? EXIT_SUCCESS : EXIT_FAILURE);
}
