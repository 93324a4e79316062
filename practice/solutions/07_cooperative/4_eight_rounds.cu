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

__global__ void eight_rounds(const float *in, float *other, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const float *from = in;
    for (int round = 0; round < 8; round++) {
        float *to = round % 2 == 0 ? other : out;
        if (i < n)
            to[i] = (i > 0 ? from[i - 1] : 0.0f) + from[i] + (i + 1 < n ? from[i + 1] : 0.0f);
        cooperative_groups::this_grid().sync(); /* all have read the one, and written the other */
        from = to;
    }
}

extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    unsigned grid = (unsigned)(n == 0 ? 1 : (n - 1) / block + 1);
    float *other;
    cudaMalloc((void **)&other, (n + 1) * sizeof *other);

    void *args[] = {&in, &other, &out, &n};
    cudaLaunchCooperativeKernel((const void *)eight_rounds, grid, block, args, 0, 0);
    cudaFree(other);
}
