/* 2-D convolution: the mask in constant memory, the tile with its halo in shared memory.
 * From a course on massively parallel processors. */
#include <cstdio>
#include <cstdlib>

#define MASK_WIDTH 5
#define R (MASK_WIDTH / 2)
#define O_TILE_WIDTH 12
#define BLOCK_WIDTH (O_TILE_WIDTH + (MASK_WIDTH - 1))

__constant__ float M[MASK_WIDTH][MASK_WIDTH];

__global__ void convolution_2D_kernel(float *P, const float *N, int height, int width, int channels)
{
  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int row_o = blockIdx.y * O_TILE_WIDTH + ty;
  int col_o = blockIdx.x * O_TILE_WIDTH + tx;
  int row_i = row_o - R;
  int col_i = col_o - R;
  __shared__ float Ns[BLOCK_WIDTH][BLOCK_WIDTH];

  for (int ch = 0; ch < channels; ++ch) {
    if ((row_i >= 0) && (row_i < height) && (col_i >= 0) && (col_i < width)) {
      Ns[ty][tx] = N[(row_i * width + col_i) * channels + ch];
    } else {
      Ns[ty][tx] = 0.0f;
    }
    __syncthreads();

    float output = 0.0f;
    if (ty < O_TILE_WIDTH && tx < O_TILE_WIDTH) {
      for (int i = 0; i < MASK_WIDTH; i++)
        for (int j = 0; j < MASK_WIDTH; j++)
          output += M[i][j] * Ns[i + ty][j + tx];
      if (row_o < height && col_o < width)
        P[(row_o * width + col_o) * channels + ch] = output;
    }
    __syncthreads();
  }
}

int main()
{
  const int height = 31, width = 40, channels = 3, count = height * width * channels;
  float mask[MASK_WIDTH][MASK_WIDTH], *image = new float[count], *out = new float[count];
  for (int i = 0; i < MASK_WIDTH; i++)
    for (int j = 0; j < MASK_WIDTH; j++)
      mask[i][j] = (i + 1) * (j - 2);
  for (int i = 0; i < count; i++) image[i] = rand() % 64;

  float *d_in, *d_out;
  cudaMalloc(&d_in, count * sizeof(float));
  cudaMalloc(&d_out, count * sizeof(float));
  cudaMemcpy(d_in, image, count * sizeof(float), cudaMemcpyHostToDevice);
  // row by row, with an offset
  for (int i = 0; i < MASK_WIDTH; i++)
    if (cudaMemcpyToSymbol(M, mask[i], sizeof(mask[i]), i * sizeof(mask[i])) != cudaSuccess)
      return EXIT_FAILURE;

  dim3 dimBlock(BLOCK_WIDTH, BLOCK_WIDTH);
  dim3 dimGrid((width - 1) / O_TILE_WIDTH + 1, (height - 1) / O_TILE_WIDTH + 1, 1);
  convolution_2D_kernel<<<dimGrid, dimBlock>>>(d_out, d_in, height, width, channels);
  cudaMemcpy(out, d_out, count * sizeof(float), cudaMemcpyDeviceToHost);

  int wrong = 0;
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      for (int c = 0; c < channels; c++) {
        float sum = 0;
        for (int i = 0; i < MASK_WIDTH; i++)
          for (int j = 0; j < MASK_WIDTH; j++) {
            int yy = y + i - R, xx = x + j - R;
            if (yy >= 0 && yy < height && xx >= 0 && xx < width)
              sum += mask[i][j] * image[(yy * width + xx) * channels + c];
          }
        if (sum != out[(y * width + x) * channels + c]) ++wrong;
      }
  printf("%d pixels are wrong\n", wrong);
  cudaFree(d_in);
  cudaFree(d_out);
  delete[] image;
  delete[] out;
  return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
