/*
 * 09-3, write: a sum and its date, in one word.
 *
 * Block 0 awaits the sums of all blocks, from a slot for each. But from the last launch the slots
 * still hold old sums: none is zeroed. So a sum travels together with its epoch, the number
 * of the launch: 64 bits that are written at once and read at once. Write publish() and
 * await_slot().
 *
 * Needed: no fence, no atomic, no barrier, and nothing more in device memory. Without `volatile`
 * the compiler may read a word once and then wait for ever. Blocks are whole warps.
 */
#include "library/parts/warp_sum.h"

typedef unsigned long long word; /* 8 bytes, aligned: one operation, never half of one */

/* Puts this sum into the slot, with the epoch. */
__device__ void publish(volatile word *slot, unsigned epoch, float sum)
{
    *slot = (word)epoch << 32 | __float_as_uint(sum);
}

/* Waits until the slot has the sum of this epoch, and returns it. */
__device__ float await_slot(volatile word *slot, unsigned epoch)
{
    word w;
    do
        w = *slot;
    while (w >> 32 != epoch);
    return __uint_as_float((unsigned)w); /* of the very word that had the epoch */
}

__global__ void sum_by_slots(const float *in, word *slots, unsigned epoch, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float sum = block_sum(i < n ? in[i] : 0.0f);

    if (threadIdx.x == 0)
        publish(&slots[blockIdx.x], epoch, sum);
    if (blockIdx.x > 0)
        return;
    __syncthreads(); /* block_sum() uses its shared memory again */
    sum = 0.0f;
    for (unsigned k = threadIdx.x; k < gridDim.x; k += blockDim.x)
        sum += await_slot(&slots[k], epoch);
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        *out = sum;
}

extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    enum { MOST = 65536 };
    static word *slots;
    static unsigned epoch;
    if (slots == NULL) {
        cudaMalloc((void **)&slots, MOST * sizeof *slots);
        cudaMemset(slots, 0, MOST * sizeof *slots);
    }
    size_t grid = n == 0 ? 1 : (n - 1) / block + 1;
    epoch++; /* begins with 1: the zeros of the beginning belong to no launch */
    sum_by_slots<<<grid, block>>>(in, slots, epoch, out, n);
}
