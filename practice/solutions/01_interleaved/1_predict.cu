/*
 * 01-1, predict: how often does v0 go to memory?
 *
 * The kernel is v0 of this lesson. Put your numbers into answers[]; `make practice01-1` says what n
 * and the block size are, and which answers are right. Another seed asks with other numbers.
 *
 *   1. Load requests of one block. A request is one load instruction of one warp, however many of
 * its lanes are at work. The array fills all blocks.
 *   2. Barriers of the whole launch, one for each block that passes one.
 *   3. Additions of the whole launch.
 *
 * The kernel stays as it is.
 */
unsigned seed = 1;
double answers[3] = {47, 224, 4064};

__global__ void sum_blocks(float *in, float *partial, size_t n)
{
    unsigned tid = threadIdx.x;
    float *idata = in + (size_t)blockIdx.x * blockDim.x;

    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        if (tid % (2 * stride) == 0)
            idata[tid] += idata[tid + stride];
        __syncthreads();
    }
    if (tid == 0)
        partial[blockIdx.x] = idata[0];
}

extern "C" void launch(float *in, float *partial, size_t n, unsigned block)
{
    sum_blocks<<<n / block, block>>>(in, partial, n);
}
