/*
 * bfloat16_naive: wrong on purpose: bfloat16 to add in, too.
 *
 * New:     one block, whose threads keep their sums in the type of the elements.
 * Why:     256 + 1 stays 256, for a bfloat16 has 8 bits: a sum that is large enough takes nothing
 *          more in.
 * Look at: ./step12 -v bfloat16,bfloat16_naive -n 128K --pattern positive
 */
#include "lesson.h"
#include <cuda_bf16.h>

static __global__ void bfloat16_naive(const __nv_bfloat16 *in, size_t n, float *out)
{
    __shared__ __nv_bfloat16 sums[1024];
    unsigned tid = threadIdx.x;
    __nv_bfloat16 sum = 0.0f;

    for (size_t i = tid; i < n; i += blockDim.x)
        sum = sum + in[i];
    sums[tid] = sum;
    __syncthreads();
    if (tid == 0) {
        for (unsigned i = 1; i < blockDim.x; i++)
            sum = sum + sums[i];
        *out = __bfloat162float(sum);
    }
}

static void launch(struct sum *s)
{
    s->grid = 1;
    s->depth = (s->n + s->block - 1) / s->block + s->block; /* were they additions of floats */
    bfloat16_naive<<<s->grid, s->block, 0, s->stream>>>((const __nv_bfloat16 *)s->in, s->n, s->out);
    CUDA_CHECK(cudaGetLastError());
}

extern const struct variant variant_bfloat16_naive = {
    .name = "bfloat16_naive",
    .what = "wrong on purpose: bfloat16 to add in, too: 256 + 1 stays 256",
    .launch = launch,
    .flags = KNOWN_WRONG,
    .element = ELEMENT_BFLOAT16,
};
