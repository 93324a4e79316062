/*
 * v6_interleaved: shared memory in the wrong order.
 *
 * New:     against v6.cu: the order of ../01_interleaved/v1.cu, neighbours first.
 * Why:     it shows what v6 avoids: the lanes of a warp queue for the same banks.
 * Look at: the wavefronts, and the worst conflict: ./step04 -n 64K -v v6,v6_interleaved --counters
 */
#include "multi_pass.h"

#define LOADS 8

static __global__ void sum_blocks(float *in, float *partial, size_t n)
{
    extern __shared__ float smem[]; /* the third value between the chevrons says how much */
    unsigned tid = threadIdx.x;
    unsigned share = blockDim.x * LOADS;       /* elements of this block */
    size_t begin = (size_t)blockIdx.x * share; /* its share of the array ... */
    unsigned count = n - begin < share ? (unsigned)(n - begin) : share;
    float *idata = in + begin; /* ... is idata[0] to idata[count - 1] */
    float sum = 0.0f;

#pragma unroll
    for (int k = 0; k < LOADS; k++) /* the compiler asks for all of them before it adds */
        sum += tid + k * blockDim.x < count ? idata[tid + k * blockDim.x] : 0.0f;
    smem[tid] = sum;
    __syncthreads();

    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        /* Word w lies in bank w % 32, and a bank serves one word at a time. With stride 16
           the lanes of a warp want words 0, 32, 64, ...: all in bank 0, one after another. */
        unsigned index = 2 * stride * tid;
        if (index + stride < blockDim.x)
            smem[index] += smem[index + stride];
        __syncthreads(); /* the next round reads what other threads have just written */
    }
    if (tid == 0)
        partial[blockIdx.x] = smem[0];
}

static void launch(struct sum *s)
{
    multi_pass_sum(s, sum_blocks, LOADS, s->block * sizeof(float));
}

extern const struct variant variant_v6_interleaved = {
    .name = "v6_interleaved",
    .what = "neighbours first in shared memory, to meet bank conflicts",
    .launch = launch,
    .per_thread = LOADS,
};
