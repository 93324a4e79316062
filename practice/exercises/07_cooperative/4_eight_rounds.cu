/*
 * 07-4, make it better: eight launches become one.
 *
 * Eight times over, each element is replaced by the sum of itself and its two neighbours; outside
 * of the array lie zeros. A round may begin only when the last one has ended, and so each is a
 * launch: right as it is. There is a thread for each element, and n is as large as fits on the GPU
 * at once. So let one launch go all eight rounds.
 *
 * A round reads one array and writes another: in[] and `other` first, then `other` and out[], then
 * out[] and `other`. How many barriers of the grid does a round need? Blocks are whole warps.
 */
#include <cooperative_groups.h>

__global__ void one_round(const float *from, float *to, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = (i > 0 ? from[i - 1] : 0.0f) + from[i] + (i + 1 < n ? from[i + 1] : 0.0f);
}

extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    unsigned grid = (unsigned)(n == 0 ? 1 : (n - 1) / block + 1);
    const float *from = in;
    float *other;
    cudaMalloc((void **)&other, (n + 1) * sizeof *other);

    for (int round = 0; round < 8; round++) {
        float *to = round % 2 == 0 ? other : out;
        one_round<<<grid, block>>>(from, to, n);
        from = to;
    }
    cudaFree(other);
}
