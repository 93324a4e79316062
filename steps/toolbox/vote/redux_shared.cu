/*
 * redux_shared: the same through shared memory.
 *
 * New:     against redux_shuffle.cu: a round is a store and a load.
 * Why:     it is what one would do without a warp's tools.
 * Look at: ten wavefronts for each row: ./vote -n 64K -v 'redux*' --counters
 */
#include "words.h"

static __device__ unsigned by_shared(unsigned mask, bool here, float x)
{
    __shared__ unsigned sums[1024];
    unsigned *mine = &sums[threadIdx.x / 32 * 32], lane = threadIdx.x % 32;
    unsigned sum = __float_as_uint(x);
    (void)mask, (void)here;

#pragma unroll
    for (unsigned m = 16; m > 0; m /= 2) {
        mine[lane] = sum;
        __syncwarp();
        sum += mine[lane ^ m];
        __syncwarp();
    }
    return sum;
}

extern const struct variant variant_redux_shared = {
    .name = "redux_shared",
    .what = "five rounds through shared memory",
    .launch = launch_words<by_shared>,
    .per_thread = ROWS_OF_A_WARP,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &redux_task,
};
