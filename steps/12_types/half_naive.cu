/*
 * half_naive: wrong on purpose: half to add in, too.
 *
 * New:     one block, whose threads keep their sums in the type of the elements.
 * Why:     2048 + 1 stays 2048, for a half has 11 bits: a sum that is large enough takes nothing
 *          more in. And after 65,504, the largest half, comes infinity.
 * Look at: ./step12 -v half,half_naive -n 32K --pattern positive
 */
#include "lesson.h"
#include <cuda_fp16.h>

static __global__ void half_naive(const __half *in, size_t n, float *out)
{
    __shared__ __half sums[1024];
    unsigned tid = threadIdx.x;
    __half sum = 0.0f;

    for (size_t i = tid; i < n; i += blockDim.x)
        sum = sum + in[i];
    sums[tid] = sum;
    __syncthreads();
    if (tid == 0) {
        for (unsigned i = 1; i < blockDim.x; i++)
            sum = sum + sums[i];
        *out = __half2float(sum);
    }
}

static void launch(struct sum *s)
{
    s->grid = 1;
    s->depth = (s->n + s->block - 1) / s->block + s->block; /* were they additions of floats */
    half_naive<<<s->grid, s->block, 0, s->stream>>>((const __half *)s->in, s->n, s->out);
    CUDA_CHECK(cudaGetLastError());
}

extern const struct variant variant_half_naive = {
    .name = "half_naive",
    .what = "wrong on purpose: half to add in, too: 2048 + 1 stays 2048",
    .launch = launch,
    .flags = KNOWN_WRONG,
    .element = ELEMENT_HALF,
};
