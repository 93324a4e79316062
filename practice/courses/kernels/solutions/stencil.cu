/* A 2D stencil: each block loads its tile and the halo around it into shared memory. */
#define TILE 16
#define WIDE (TILE + 2) /* with the halo */

__global__ void smooth_tiles(const float *in, float *out, int rows, int columns)
{
    __shared__ float tile[WIDE][WIDE];
    int top = blockIdx.y * TILE - 1, left = blockIdx.x * TILE - 1;
    for (int k = threadIdx.y * TILE + threadIdx.x; k < WIDE * WIDE; k += TILE * TILE) {
        int row = top + k / WIDE, column = left + k % WIDE;
        bool inside = row >= 0 && row < rows && column >= 0 && column < columns;
        tile[k / WIDE][k % WIDE] = inside ? in[row * columns + column] : 0;
    }
    __syncthreads();
    int y = threadIdx.y + 1, x = threadIdx.x + 1;
    int row = top + y, column = left + x;
    if (row < rows && column < columns)
        out[row * columns + column] =
            2 * tile[y][x] + tile[y - 1][x] + tile[y + 1][x] + tile[y][x - 1] + tile[y][x + 1];
}

void smooth(const float *in, float *out, int rows, int columns)
{
    dim3 block(TILE, TILE), grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
    smooth_tiles<<<grid, block>>>(in, out, rows, columns);
}
