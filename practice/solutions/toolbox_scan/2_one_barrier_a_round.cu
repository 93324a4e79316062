/*
 * scan-2, repair: one barrier in each round.
 *
 * The running sum of each block's share: in round d each thread adds what stands d places below.
 * There is a barrier in each round, so what is wrong? Find which thread reads what another writes.
 *
 * A second barrier in each round would do. But one is enough, if no thread writes where another
 * reads: find that way. No shuffles; one barrier for each round, and one before the first.
 */
__global__ void block_scan(const float *in, float *out, size_t n)
{
    __shared__ float smem[2][1024];
    unsigned tid = threadIdx.x, now = 0;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    smem[now][tid] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (unsigned d = 1; d < blockDim.x; d *= 2) {
        smem[!now][tid] = smem[now][tid] + (tid >= d ? smem[now][tid - d] : 0.0f);
        now = !now; /* a round reads one half, and writes the other */
        __syncthreads();
    }
    if (i < n)
        out[i] = smem[now][tid];
}

extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    size_t grid = n == 0 ? 1 : (n - 1) / block + 1;
    block_scan<<<grid, block>>>(in, out, n);
}
