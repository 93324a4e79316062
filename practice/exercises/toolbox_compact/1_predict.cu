/*
 * compact-1, predict: does it pay to elect one?
 *
 * in[i] = i + 1, and kept is what a quarter of the block size divides. One lane of each warp adds
 * for all that keep theirs. Put your numbers into answers[]; `make practice-compact-1` says what n
 * and the block size are, and which answers are right. The array fills all blocks. Another seed
 * asks with other numbers.
 *
 *   1. Elements that are kept, in the whole launch.
 *   2. Atomics of the whole launch.
 *   3. Votes and shuffles of the whole launch, one for each warp that does one.
 *
 * The kernel stays as it is.
 */
unsigned seed = 2;
double answers[3] = {-1, -1, -1};

__global__ void keep(const float *in, float *out, unsigned *number)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned lane = threadIdx.x % 32, every = blockDim.x / 4;
    float x = in[i];
    bool kept = (unsigned)x % every == 0;

    unsigned keepers = __ballot_sync(0xffffffff, kept);
    if (!kept)
        return;
    unsigned leader = __ffs(keepers) - 1, first = 0;
    if (lane == leader)
        first = atomicAdd(number, __popc(keepers));
    first = __shfl_sync(keepers, first, leader);
    out[first + __popc(keepers & ((1u << lane) - 1))] = x;
}

extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    cudaMemset(out + n, 0, sizeof(float));
    keep<<<n / block, block>>>(in, out, (unsigned *)(out + n));
}
