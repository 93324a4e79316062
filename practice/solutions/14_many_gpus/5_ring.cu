/*
 * 14-5, write: a ring.
 *
 * Now a GPU stores into the memory of one other alone, its neighbour: GPU g into that of GPU g + 1,
 * and the last into that of GPU 0. Every GPU shall have the sum of all again, with the same bits.
 * Write sum_in_ring(): one lap in which the sum grows, and another that hands it round. For k GPUs
 * 2 (k - 1) words are enough; all-to-all takes k (k - 1).
 *
 * In each GPU's memory its neighbour has two slots, one for each lap. publish() and await_slot()
 * are those of lesson 09. There may be one GPU, too. A block on each GPU, of whole warps.
 */
#include "library/parts/slots.h"

enum { MOST = 8 };

/* One thread of each GPU comes here, with its GPU's sum, and gets the sum of all. mine: the two
   slots in this GPU's memory; next: those in its neighbour's. */
__device__ float sum_in_ring(float sum, word *mine, word *next, unsigned rank, unsigned gpus,
                             unsigned epoch)
{
    unsigned last = gpus - 1;
    if (rank > 0)
        sum += await_slot(&mine[0], epoch);
    if (rank < last) {
        publish(&next[0], epoch, sum); /* of the GPUs from 0 to this one */
        sum = await_slot(&mine[1], epoch);
    }
    if (rank + 1 != last) /* which has it already */
        publish(&next[1], epoch, sum);
    return sum;
}

__global__ void sum_with_ring(const float *in, size_t n, word *mine, word *next, unsigned rank,
                              unsigned gpus, unsigned epoch, float *out)
{
    float sum = 0.0f;
    for (size_t i = threadIdx.x; i < n; i += blockDim.x)
        sum += in[i];
    sum = block_sum(sum);
    if (threadIdx.x > 0)
        return;
    *out = sum_in_ring(sum, mine, next, rank, gpus, epoch);
}

extern "C" void launch(const struct share *shares, unsigned gpus, unsigned block)
{
    static word *slots[MOST];
    static unsigned epoch; /* counts the sums; begins with 1 */
    for (unsigned g = 0; g < gpus; g++)
        if (slots[g] == NULL) {
            cudaSetDevice(shares[g].device);
            cudaMalloc((void **)&slots[g], 2 * sizeof(word));
            cudaMemset(slots[g], 0, 2 * sizeof(word));
            cudaDeviceSynchronize(); /* before another GPU writes there */
        }
    epoch++;
    for (unsigned g = 0; g < gpus; g++) {
        const struct share *s = &shares[g];
        cudaSetDevice(s->device);
        sum_with_ring<<<1, block, 0, s->stream>>>(s->in, s->n, slots[g], slots[(g + 1) % gpus], g,
                                                  gpus, epoch, s->out);
    }
}
