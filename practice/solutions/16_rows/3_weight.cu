/*
 * 16-3, repair: a row, and a weight.
 *
 * Each row begins 8 floats after the one before. It has 7 floats, and the eighth is its weight.
 * 8 lanes share a row. There are two mistakes: one adds what is no part of the row, the other shows
 * only where the last warp has fewer than four rows. Find both.
 *
 * out[r] is the weight of row r times the sum of its 7 floats. launch() stays as it is.
 */
enum { COLUMNS = 7, LEAD = 8 };

__global__ void weigh_rows(const float *in, float *out, size_t rows)
{
    size_t r = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) / LEAD;
    unsigned lane = threadIdx.x % LEAD;

    float sum = r < rows ? in[r * LEAD + lane] : 0.0f;
    float weight = __shfl_down_sync(0xffffffff, sum, COLUMNS); /* lane 0 gets lane 7's */
    if (lane == COLUMNS)
        sum = 0.0f;
    for (unsigned offset = LEAD / 2; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (r < rows && lane == 0)
        out[r] = weight * sum;
}

extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    size_t rows = n / LEAD, rows_of_block = block / LEAD;
    if (rows > 0)
        weigh_rows<<<(rows + rows_of_block - 1) / rows_of_block, block>>>(in, out, rows);
}
