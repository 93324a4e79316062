/*
 * 16-1, predict: a thread for each row.
 *
 * The rows have 8 floats, 32 bytes: a sector each. A thread adds up a row, and then every later one
 * that is its own. Put your numbers into answers[]; `make practice16-1` says what n and the block
 * size are, and which answers are right. Another seed asks with other numbers.
 *
 *   1. The sectors that the requests of the loads touch, all added up.
 *   2. The sectors that the requests of the stores touch.
 *   3. The floats that the busiest thread loads.
 *
 * The kernel stays as it is.
 */
unsigned seed = 1;
double answers[3] = {8192, 128, 32};

enum { COLUMNS = 8, GRID = 2 };

__global__ void sum_rows(const float *in, float *out, size_t rows)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;

    for (size_t r = blockIdx.x * (size_t)blockDim.x + threadIdx.x; r < rows; r += threads) {
        float sum = 0.0f;
        for (int i = 0; i < COLUMNS; i++)
            sum += in[r * COLUMNS + i];
        out[r] = sum;
    }
}

extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    sum_rows<<<GRID, block>>>(in, out, n / COLUMNS);
}
