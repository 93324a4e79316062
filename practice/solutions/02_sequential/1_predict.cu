/*
 * 02-1, predict: what does v2 fetch?
 *
 * The kernel is v2 of this lesson; the array fills all blocks and begins where a sector begins. Put
 * your numbers into answers[]; `make practice02-1` says what n and the block size are, and which
 * answers are right. Another seed asks with other numbers.
 *
 *   1. Load requests of one block: load instructions of a warp.
 *   2. Load sectors of one block: pieces of 32 bytes, counted for each request.
 *   3. Load sectors of the whole launch.
 *
 * The kernel stays as it is.
 */
unsigned seed = 3;
double answers[3] = {13, 21, 336};

__global__ void sum_blocks(float *in, float *partial, size_t n)
{
    unsigned tid = threadIdx.x;
    float *idata = in + (size_t)blockIdx.x * blockDim.x;

    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride)
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
