/*
 * 09-4, make it better: one atomic for each block.
 *
 * The elements are whole numbers, and whole numbers may be added in any order. So all blocks add to
 * one total, then each draws a ticket, and the block with the last one writes the total. It is
 * right as it is: two atomics for each block, and two fences that keep them in order. Let one
 * atomic do both: a sum and a count in one word of 64 bits.
 *
 * No sum of a block is further from zero than 2^20, and no grid has 2^20 blocks. Sums may be
 * negative. Whatever you keep in device memory, the next launch must find it zero. Blocks are
 * whole warps.
 */
#include "library/parts/warp_sum.h"

typedef unsigned long long word;

__global__ void whole_sum(const float *in, word *total, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float sum = block_sum(i < n ? in[i] : 0.0f);

    if (threadIdx.x > 0)
        return;
    word mine = (word)(long long)sum << 20 | 1; /* the sum above, the count in the lower 20 bits */
    word all = atomicAdd(total, mine) + mine;
    if ((all & 0xfffff) == gridDim.x) {
        *out = (float)((long long)all >> 20);
        *total = 0;
    }
}

extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    static word *total;
    if (total == NULL) {
        cudaMalloc((void **)&total, sizeof *total);
        cudaMemset(total, 0, sizeof *total);
    }
    size_t grid = n == 0 ? 1 : (n - 1) / block + 1;
    whole_sum<<<grid, block>>>(in, total, out, n);
}
