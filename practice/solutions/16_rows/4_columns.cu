/*
 * 16-4, write: the sums of 32 columns.
 *
 * The matrix has 32 columns. One block adds them up: lane c of each warp has column c, and the
 * warps take rows by turns. So a warp reads a whole row in one request. At the end the warps have
 * 32 sums each; bring them together in shared memory.
 *
 * out[c] is the sum of column c. One launch, no atomics, no shuffles: lanes of one warp have
 * nothing to say to each other. Of no rows all sums are 0.
 */
enum { COLUMNS = 32 };

__global__ void sum_columns(const float *in, float *out, size_t rows)
{
    __shared__ float smem[32][COLUMNS]; /* a row for each warp */
    unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32;

    float sum = 0.0f;
    for (size_t r = warp; r < rows; r += warps)
        sum += in[r * COLUMNS + lane];
    smem[warp][lane] = sum;
    __syncthreads();
    if (warp > 0)
        return;
    for (unsigned w = 1; w < warps; w++)
        sum += smem[w][lane];
    out[lane] = sum;
}

extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    sum_columns<<<1, block>>>(in, out, n / COLUMNS);
}
