/* Matrix transpose through a padded tile, against the naive one. */
#include <cstdio>
#include <vector>
#include <assert.h>

const int TILE_DIM = 32;
const int BLOCK_ROWS = 8;

// Convenience function for checking CUDA runtime API results
// can be wrapped around any runtime API call. No-op in release builds.
inline
cudaError_t checkCuda(cudaError_t result)
{
#if defined(DEBUG) || defined(_DEBUG)
  if (result != cudaSuccess) {
    fprintf(stderr, "CUDA Runtime Error: %s\n", cudaGetErrorString(result));
    assert(result == cudaSuccess);
  }
#endif
  return result;
}

__global__ void transposeNaive(float *odata, const float *idata, int width, int height)
{
  int x = blockIdx.x * TILE_DIM + threadIdx.x;
  int y = blockIdx.y * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j+= BLOCK_ROWS)
    if (x < width && y + j < height)
      odata[x*height + (y+j)] = idata[(y+j)*width + x];
}

// No bank-conflict transpose: the tile is padded by one column.
__global__ void transposeNoBankConflicts(float *odata, const float *idata, int width, int height)
{
  __shared__ float tile[TILE_DIM][TILE_DIM+1];

  int x = blockIdx.x * TILE_DIM + threadIdx.x;
  int y = blockIdx.y * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    if (x < width && y + j < height)
      tile[threadIdx.y+j][threadIdx.x] = idata[(y+j)*width + x];

  __syncthreads();

  x = blockIdx.y * TILE_DIM + threadIdx.x;  // transpose block offset
  y = blockIdx.x * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    if (x < height && y + j < width)
      odata[(y+j)*height + x] = tile[threadIdx.x][threadIdx.y + j];
}

int main()
{
  const int nx = 100, ny = 70;
  const dim3 dimGrid((nx + TILE_DIM - 1)/TILE_DIM, (ny + TILE_DIM - 1)/TILE_DIM, 1);
  const dim3 dimBlock(TILE_DIM, BLOCK_ROWS, 1);
  std::vector<float> in(nx * ny), out(nx * ny);
  for (int i = 0; i < nx * ny; i++)
    in[i] = i;

  float *d_idata, *d_tdata;
  checkCuda( cudaMalloc(&d_idata, in.size() * sizeof(float)) );
  checkCuda( cudaMalloc(&d_tdata, out.size() * sizeof(float)) );
  checkCuda( cudaMemcpy(d_idata, in.data(), in.size() * sizeof(float), cudaMemcpyHostToDevice) );

  void (*kernels[])(float *, const float *, int, int) = { transposeNaive, transposeNoBankConflicts };
  bool right = true;
  for (auto kernel : kernels) {
    checkCuda( cudaMemset(d_tdata, 0, out.size() * sizeof(float)) );
    kernel<<<dimGrid, dimBlock>>>(d_tdata, d_idata, nx, ny);
    checkCuda( cudaMemcpy(out.data(), d_tdata, out.size() * sizeof(float), cudaMemcpyDeviceToHost) );
    for (int j = 0; j < ny; j++)
      for (int i = 0; i < nx; i++)
        right = right && out[i*ny + j] == in[j*nx + i];
  }
  printf("%s\n", right ? "transposed" : "*** FAILED ***");
  checkCuda( cudaFree(d_tdata) );
  checkCuda( cudaFree(d_idata) );
  return right ? 0 : 1;
}
