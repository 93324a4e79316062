/* A tiled matrix product: c = a b, tile by tile through shared memory. */
#define TILE 16

__global__ void multiply_tiles(const float *a, const float *b, float *c, int m, int k, int n)
{
    __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int first = 0; first < k; first += TILE) {
        int of_a = first + threadIdx.x, of_b = first + threadIdx.y;
        tile_a[threadIdx.y][threadIdx.x] = row < m && of_a < k ? a[row * k + of_a] : 0;
        tile_b[threadIdx.y][threadIdx.x] = of_b < k && column < n ? b[of_b * n + column] : 0;
        __syncthreads(); /* the tiles are there */
        for (int i = 0; i < TILE; i++)
            sum += tile_a[threadIdx.y][i] * tile_b[i][threadIdx.x];
        __syncthreads(); /* all have read them */
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}

void multiply(const float *a, const float *b, float *c, int m, int k, int n)
{
    dim3 block(TILE, TILE), grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
    multiply_tiles<<<grid, block>>>(a, b, c, m, k, n);
}
