/*
 * 08-3, write: x, y, z, w, x, y, z, w ...
 *
 * The array holds the x, y, z and w of many points, one point after the other. Sum up each of the
 * four: out[0] = in[0] + in[4] + in[8] + ..., out[1] = in[1] + in[5] + ..., and so on, to out[3].
 * Any n: the last point may not be whole. And any start: where in[] is not aligned, member .x of a
 * float4 is not the x of a point. Which is it?
 *
 * Read the body with 16 bytes at a time, each element once. parts_of() is the lesson's: head,
 * vectors and tail. At most four atomics for each warp, and one for each float of head and tail.
 * Blocks are whole warps.
 */
#include "library/parts/tile.h"

__global__ void four_sums(const float *in, float *out, size_t n)
{
    struct parts p = parts_of(in, n);
    const float4 *body = (const float4 *)(in + p.head);
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    /* yours */
}

extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    size_t grid = n == 0 ? 1 : (n - 1) / (4 * block) + 1;
    cudaMemset(out, 0, 4 * sizeof(float));
    four_sums<<<grid, block>>>(in, out, n);
}
