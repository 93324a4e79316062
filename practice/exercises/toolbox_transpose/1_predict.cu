/*
 * transpose-1, predict: how much padding?
 *
 * A warp stores 32 rows of 32 floats in shared memory, and loads columns. Two rows begin `pitch`
 * floats apart: 32, and some padding. Put your numbers into answers[]; `make practice-transpose-1`
 * says what n is, which is 32 times the pitch, and which answers are right. Another seed asks with
 * another pitch; try some.
 *
 *   1. Wavefronts of one load of a column: how many lanes meet in a bank?
 *   2. Shared load wavefronts of the launch, which is one warp.
 *   3. Shared store wavefronts of the launch.
 *
 * The kernel stays as it is.
 */
unsigned seed = 3;
double answers[3] = {-1, -1, -1};

__global__ void columns(const float *in, float *out, unsigned pitch)
{
    extern __shared__ float tile[];
    unsigned lane = threadIdx.x;

    for (unsigned k = 0; k < 32; k++)
        tile[k * pitch + lane] = in[32 * k + lane];
    __syncwarp();
    for (unsigned k = 0; k < 32; k++)
        out[32 * k + lane] = tile[lane * pitch + k];
}

extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    columns<<<1, block, n * sizeof(float)>>>(in, out, n / 32);
}
