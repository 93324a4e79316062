/*
 * 16-5, make it better: four long rows.
 *
 * A block for each row: four blocks work, and the rest of the GPU looks on. Let four blocks share
 * each row, 16 in all. They are those of one blockIdx.y. Each leaves the sum of its part in a slot,
 * and the last one of its row adds up the slots of this row, in their order.
 *
 * out[r] is the sum of row r. One launch, and one ticket for each block. Every float is read once.
 */
#include "15_operators/reduce.h" /* block_sum(); is_last_block(tickets) */

enum { ROWS = 4, SHARING = 4 };

__global__ void sum_rows(const float *in, float *out, size_t row, float *slots, unsigned *tickets)
{
    size_t r = blockIdx.y;
    float sum = 0.0f;

    for (size_t i = threadIdx.x; i < row; i += blockDim.x)
        sum += in[r * row + i];
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        out[r] = sum;
    (void)slots, (void)tickets; /* yours */
}

extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    static float *slots; /* kept from call to call */
    static unsigned *tickets;
    if (slots == NULL) {
        cudaMalloc((void **)&slots, ROWS * SHARING * sizeof *slots);
        cudaMalloc((void **)&tickets, ROWS * sizeof *tickets);
        cudaMemset(tickets, 0, ROWS * sizeof *tickets); /* is_last_block() leaves them at 0 */
    }
    sum_rows<<<dim3(1, ROWS), block>>>(in, out, n / ROWS, slots, tickets);
}
