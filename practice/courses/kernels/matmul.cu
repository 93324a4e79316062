/* A tiled matrix product: c = a b, tile by tile through shared memory. */
#define TILE 16

__global__ void multiply_tiles(const float *a, const float *b, float *c, int m, int k, int n)
{
    __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
    /* yours */
}

void multiply(const float *a, const float *b, float *c, int m, int k, int n)
{
    dim3 block(TILE, TILE), grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
    multiply_tiles<<<grid, block>>>(a, b, c, m, k, n);
}
