/*
 * v2: a tree of additions, far partners first (source 001).
 *
 * New:     against ../01_interleaved/v1.cu: the stride begins at half a block and halves, where
 *          v1's begins at 1 and doubles.
 * Why:     the threads of a warp now touch neighbouring elements in every round, and the memory
 *          system fetches neighbours together, in sectors of 32 bytes (8 floats). Halving needs a
 *          power of two: half of 7 is 3, and one value would be lost.
 * Look at: as many load requests as v1, far fewer sectors:
 *          ./step01 -n 64K -v v1 --counters && ./step02 -n 64K --counters
 */
#include "multi_pass.h"

static __global__ void sum_blocks(float *in, float *partial, size_t n)
{
    unsigned tid = threadIdx.x;
    unsigned share = blockDim.x;               /* elements of this block */
    size_t begin = (size_t)blockIdx.x * share; /* its share of the array ... */
    unsigned count = n - begin < share ? (unsigned)(n - begin) : share;
    float *idata = in + begin; /* ... is idata[0] to idata[count - 1] */

    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride && tid + stride < count)
            idata[tid] += idata[tid + stride];
        __syncthreads(); /* the next round reads what other threads have just written */
    }
    if (tid == 0)
        partial[blockIdx.x] = count > 0 ? idata[0] : 0.0f;
}

static void launch(struct sum *s)
{
    multi_pass_sum(s, sum_blocks, 1, 0); /* 1 element a thread, no shared memory */
}

extern const struct variant variant_v2 = {
    .name = "v2",
    .what = "far partners first: stride = blockDim.x / 2, then half, and half again",
    .launch = launch,
    .per_thread = 1,
    .flags = OVERWRITES_INPUT,
    .block_rule = BLOCK_POWER_OF_TWO,
    .min_block = 2,
};
