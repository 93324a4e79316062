/* A 2D stencil: each block loads its tile and the halo around it into shared memory. */
#define TILE 16
#define WIDE (TILE + 2) /* with the halo */

__global__ void smooth_tiles(const float *in, float *out, int rows, int columns)
{
    __shared__ float tile[WIDE][WIDE];
    /* yours */
}

void smooth(const float *in, float *out, int rows, int columns)
{
    dim3 block(TILE, TILE), grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
    smooth_tiles<<<grid, block>>>(in, out, rows, columns);
}
