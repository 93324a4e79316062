/*
 * 08-1, predict: what do 16-byte loads fetch?
 *
 * Each thread reads one float4. See launch(): the kernel gets n - 1 floats, and they begin one
 * float after an aligned place. Put your numbers into answers[]; `make practice08-1` says what n
 * and the block size are, and which answers are right. Another seed asks with other numbers.
 *
 *   1. Float4 in the body of the array.
 *   2. Load requests of the launch: load instructions of a warp.
 *   3. Load sectors of the launch: pieces of 32 bytes, counted for each request. Where does the
 * body begin?
 *
 * The code stays as it is; parts_of() and head_or_tail() are the lesson's.
 */
#include "library/parts/tile.h"

unsigned seed = 9;
double answers[3] = {499, 17, 267};

__global__ void one_vector_each(const float *in, float *out, size_t n)
{
    struct parts p = parts_of(in, n);
    const float4 *body = (const float4 *)(in + p.head);
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float sum = head_or_tail(in, n, p); /* a load, of some lanes of the first warp */

    if (i < p.vectors) {
        float4 v = body[i];
        sum += (v.x + v.y) + (v.z + v.w);
    }
    if (i == 0)
        out[0] = (float)p.vectors;
    if (sum == -1.0f) /* never: but without it nothing would have to be loaded */
        out[1] = sum;
}

extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    size_t grid = (n - 2) / (4 * block) + 1;
    one_vector_each<<<grid, block>>>(in + 1, out, n - 1);
}
