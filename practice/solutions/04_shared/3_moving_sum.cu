/*
 * 04-3, write: a sum that moves.
 *
 * out[i] = in[i - 3] + in[i - 2] + ... + in[i + 3], seven elements; what lies outside of the array
 * counts as 0. Taken from device memory that is seven loads for each element. But the threads of a
 * block want nearly the same ones. Let them load what the block needs into shared memory, once, and
 * add from there. The first and the last three threads need elements of the neighbouring blocks.
 *
 * One barrier for each block. Blocks have 6 threads or more, any number. in[] is only read.
 */
enum { REACH = 3 };

__global__ void moving_sum(const float *in, float *out, size_t n)
{
    extern __shared__ float smem[]; /* blockDim.x + 2 * REACH floats */
    unsigned tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;
    float sum = 0.0f;

    smem[REACH + tid] = i < n ? in[i] : 0.0f; /* word w of smem is element w - REACH of the block */
    if (tid < REACH) {
        size_t right = i + blockDim.x;
        smem[tid] = i >= REACH ? in[i - REACH] : 0.0f;
        smem[REACH + blockDim.x + tid] = right < n ? in[right] : 0.0f;
    }
    __syncthreads();
    for (unsigned k = 0; k <= 2 * REACH; k++)
        sum += smem[tid + k];
    if (i < n)
        out[i] = sum;
}

extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    size_t grid = n == 0 ? 1 : (n - 1) / block + 1;
    moving_sum<<<grid, block, (block + 2 * REACH) * sizeof(float)>>>(in, out, n);
}
