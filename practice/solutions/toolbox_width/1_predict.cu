/*
 * width-1, predict: at the edge of a part.
 *
 * Thread i has i + 1. The warp is cut into parts of `width` lanes, a sixteenth of the block. Put
 * into answers[] what thread 47 gets: lane 15 of the second warp, and the last of its part.
 * `make practice-width-1` says how large the block is, and which answers are right. Another seed
 * asks with other blocks.
 *
 *   1. From __shfl_sync, where it asks for lane 15 + 1.
 *   2. From __shfl_down_sync, one lane down.
 *   3. From __shfl_xor_sync, where it would swap with the part beside its own.
 *
 * The kernel stays as it is.
 */
unsigned seed = 1;
double answers[3] = {41, 48, 40};

__global__ void three(const float *in, float *out)
{
    unsigned tid = threadIdx.x, lane = tid % 32, width = blockDim.x / 16;
    float value = in[tid];

    out[3 * tid] = __shfl_sync(0xffffffff, value, lane + 1, width);
    out[3 * tid + 1] = __shfl_down_sync(0xffffffff, value, 1, width);
    out[3 * tid + 2] = __shfl_xor_sync(0xffffffff, value, width, width);
}

extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    three<<<1, block>>>(in, out);
}
