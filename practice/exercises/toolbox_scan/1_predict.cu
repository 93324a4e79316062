/*
 * scan-1, predict: the guard is missing.
 *
 * A scan of rows of `width` lanes, a sixteenth of the block. But `if (lane >= d)` was left out: all
 * lanes add what the shuffle gives them. Thread i brings i + 1. Put into answers[] what comes out;
 * `make practice-scan-1` says how large the block is, and which answers are right. Another seed
 * asks with other blocks.
 *
 *   1. Thread 0, which should have 1.
 *   2. Thread 1, which should have 1 + 2.
 *   3. Thread 31, the last of its row.
 *
 * The kernel stays as it is.
 */
unsigned seed = 1;
double answers[3] = {-1, -1, -1};

__global__ void scan(const float *in, float *out)
{
    unsigned tid = threadIdx.x, width = blockDim.x / 16;
    float x = in[tid];

    for (unsigned d = 1; d < width; d *= 2)
        x += __shfl_up_sync(0xffffffff, x, d, width);
    out[tid] = x;
}

extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    scan<<<1, block>>>(in, out);
}
