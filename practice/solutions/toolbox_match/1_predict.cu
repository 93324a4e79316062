/*
 * match-1, predict: which lanes have what I have?
 *
 * The key of thread i is i modulo an eighth of the block. Put into answers[] what a match finds;
 * `make practice-match-1` says how large the block is, and which answers are right. Another seed
 * asks with other blocks. Lanes are counted from 0 in each warp: thread 60 is lane 28.
 *
 *   1. How many lanes of its warp have the key of thread 60, itself among them?
 *   2. Which lane of them is the leader?
 *   3. Atomics of the whole launch: one block.
 *
 * The kernel stays as it is.
 */
unsigned seed = 1;
double answers[3] = {2, 4, 144};

__global__ void count_keys(float *out)
{
    unsigned tid = threadIdx.x, key = tid % (blockDim.x / 8);
    unsigned peers = __match_any_sync(0xffffffff, key), leader = __ffs(peers) - 1;

    if (tid % 32 == leader)
        atomicAdd(&out[key], (float)__popc(peers));
    if (tid == 60) {
        out[254] = (float)__popc(peers);
        out[255] = (float)leader;
    }
}

extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    cudaMemset(out, 0, n * sizeof(float));
    count_keys<<<1, block>>>(out);
}
