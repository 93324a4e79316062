/*
 * 03-1, predict: what do four loads for each thread save?
 *
 * The kernel is v4 of this lesson with LOADS = 4; the array fills all blocks. Put your numbers into
 * answers[]; `make practice03-1` says what n and the block size are, and which answers are right.
 * Another seed asks with other numbers.
 *
 *   1. Blocks of the launch.
 *   2. Barriers of the whole launch, __syncthreads() only, one for each block that passes one.
 *   3. Floats that one block loads, those of the tree and the last line, too.
 *
 * The kernel stays as it is.
 */
unsigned seed = 1;
double answers[3] = {-1, -1, -1};

#define LOADS 4

__global__ void sum_blocks(float *in, float *partial, size_t n)
{
    unsigned tid = threadIdx.x;
    float *idata = in + (size_t)blockIdx.x * blockDim.x * LOADS;
    float sum = 0.0f;

    for (int k = 0; k < LOADS; k++)
        sum += idata[tid + k * blockDim.x];
    idata[tid] = sum;
    __syncthreads();

    for (unsigned stride = blockDim.x / 2; stride > 32; stride /= 2) {
        if (tid < stride)
            idata[tid] += idata[tid + stride];
        __syncthreads();
    }
    if (tid < 32) {
        for (unsigned stride = 32; stride > 0; stride /= 2) {
            if (tid < stride)
                idata[tid] += idata[tid + stride];
            __syncwarp();
        }
    }
    if (tid == 0)
        partial[blockIdx.x] = idata[0];
}

extern "C" void launch(float *in, float *partial, size_t n, unsigned block)
{
    sum_blocks<<<n / (LOADS * block), block>>>(in, partial, n);
}
