/* or_by_shared.h: the OR of the words of 32 lanes, through shared memory. */
#ifndef OR_BY_SHARED_H
#define OR_BY_SHARED_H

/* All lanes get it: the butterfly, with shared memory in place of a shuffle. Twice a round
   __syncwarp(): before anyone reads, and before anyone writes again. */
static inline __device__ unsigned or_by_shared(unsigned word)
{
    __shared__ unsigned words[1024];
    unsigned *mine = &words[threadIdx.x / 32 * 32], lane = threadIdx.x % 32;

#pragma unroll
    for (unsigned m = 16; m > 0; m /= 2) {
        mine[lane] = word;
        __syncwarp();
        word |= mine[lane ^ m];
        __syncwarp();
    }
    return word;
}

#endif
