/*
 * exchange-1, predict: three shuffles, one distance.
 *
 * Thread i has i + 1, and `distance` is a sixteenth of the block. Put into answers[] what thread 60
 * gets, which is lane 28 of the second warp; `make practice-exchange-1` says how large the block
 * is, and which answers are right. Another seed asks with other blocks.
 *
 *   1. From __shfl_sync, where it asks for lane 28 + distance.
 *   2. From __shfl_down_sync.
 *   3. From __shfl_xor_sync.
 *
 * The kernel stays as it is.
 */
unsigned seed = 1;
double answers[3] = {-1, -1, -1};

__global__ void three(const float *in, float *out)
{
    unsigned tid = threadIdx.x, lane = tid % 32, distance = blockDim.x / 16;
    float value = in[tid];

    out[3 * tid] = __shfl_sync(0xffffffff, value, lane + distance);
    out[3 * tid + 1] = __shfl_down_sync(0xffffffff, value, distance);
    out[3 * tid + 2] = __shfl_xor_sync(0xffffffff, value, distance);
}

extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    three<<<1, block>>>(in, out);
}
