/*
 * 04-1, predict: how many lanes meet in a bank?
 *
 * A block fills `stride` floats of shared memory for each thread, and then thread t reads word
 * t * stride; stride is the block size / 32. Put your numbers into answers[]; `make practice04-1`
 * says how large the block is, and which answers are right. Another seed asks with another stride.
 *
 *   1. Store wavefronts of the block.
 *   2. Wavefronts of one load request: what each warp's load takes.
 *   3. Load wavefronts of the block.
 *
 * The kernel stays as it is.
 */
unsigned seed = 6;
double answers[3] = {-1, -1, -1};

__global__ void every_so_many(const float *in, float *out)
{
    extern __shared__ float smem[];
    unsigned tid = threadIdx.x, stride = blockDim.x / 32;

    for (unsigned k = 0; k < stride; k++)
        smem[tid + k * blockDim.x] = in[tid + k * blockDim.x];
    __syncthreads();
    out[tid] = smem[tid * stride];
}

extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    every_so_many<<<1, block, block / 32 * block * sizeof(float)>>>(in, out);
}
