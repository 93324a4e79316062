/*
 * 11-4, write: many sums in one call.
 *
 * What users of a library ask for next. The array is cut into segments of any length, some of them
 * empty: segment s has the elements begin[s] to begin[s + 1] - 1, and its sum belongs into out[s].
 * Write the kernel: a warp for each segment, whose lanes read side by side.
 *
 * Forbidden: shared memory, barriers, atomics. warp_sum() of lesson 05 needs all 32 lanes. Blocks
 * are whole warps; there are warps enough, and some too many.
 */
#include "library/parts/warp_sum.h"

__global__ void segment_sums(const float *in, const size_t *begin, unsigned segments, float *out)
{
    unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;

    if (warp < segments && lane == 0)
        out[warp] = 0.0f; /* yours */
}

/* Segment s has 37 s % (s + 2) elements, up to s + 1; the last one has what is left. */
extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    static size_t begin[16384]; /* for more than 2^24 elements */
    unsigned segments = 1;
    for (begin[1] = 0; begin[segments] < n; segments++) {
        size_t end = begin[segments] + 37 * segments % (segments + 2);
        begin[segments + 1] = end < n ? end : n;
    }

    size_t *device, bytes = (segments + 1) * sizeof *device;
    cudaMalloc((void **)&device, bytes);
    cudaMemcpy(device, begin, bytes, cudaMemcpyHostToDevice);
    segment_sums<<<(segments * 32 - 1) / block + 1, block>>>(in, device, segments, out);
    cudaFree(device);
}
