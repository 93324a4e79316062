/*
 * masks-1, repair: the last round of a loop.
 *
 * Four blocks go over the whole array. It is right for n = 1024 and blocks of 256, and its author
 * tried nothing else. With n = 1000 some lanes leave the loop before the others. Which lanes does
 * the mask name then?
 *
 * There are two ways to mend it. Find the one that also needs fewer shuffles: five for each warp,
 * whatever n is. No shared memory; one atomic for each warp.
 */
__global__ void sum_of_array(const float *in, float *out, size_t n)
{
    size_t first = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t stride = (size_t)gridDim.x * blockDim.x;

    float sum = 0.0f;
    for (size_t i = first; i < n; i += stride)
        sum += in[i];
    /* Some lanes left the loop earlier, but all are here. */
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, sum);
}

extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    cudaMemset(out, 0, sizeof(float));
    sum_of_array<<<4, block>>>(in, out, n);
}
