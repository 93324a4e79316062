/*
 * 14-4, repair: the same numbers, and other bits.
 *
 * Each GPU begins with its own sum, and adds what the others have published. All add the same
 * numbers. But a sum of floats depends on the order, so now and then two GPUs end with totals that
 * differ in the last bit, and a program that goes on with its own total, such as `while (total >
 * limit)`, goes another way on each. Let all have the same bits. It takes three GPUs to see this.
 *
 * Allowed: what you like. Forbidden: to store more than this into other GPUs' memory. launch() asks
 * for the sum of in[i], which floats have exactly, and for that of in[i] / 10. A block on each GPU,
 * of whole warps.
 */
#include "library/parts/slots.h"

enum { MOST = 8 };

struct memory {
    word *slots[MOST]; /* of each GPU: a slot for every other one and both parities of the epoch */
};

__global__ void sum_with_peers(const float *in, size_t n, float divisor, struct memory memory,
                               unsigned rank, unsigned gpus, unsigned epoch, float *out)
{
    float sum = 0.0f;
    for (size_t i = threadIdx.x; i < n; i += blockDim.x)
        sum += in[i] / divisor;
    sum = block_sum(sum);
    if (threadIdx.x > 0)
        return;

    unsigned side = epoch % 2 * MOST;
    for (unsigned g = 0; g < gpus; g++)
        if (g != rank)
            publish(&memory.slots[g][side + rank], epoch, sum);
    float total = sum;
    for (unsigned g = 0; g < gpus; g++)
        if (g != rank)
            total += await_slot(&memory.slots[rank][side + g], epoch);
    *out = total;
}

extern "C" void launch(const struct share *shares, unsigned gpus, unsigned block)
{
    static struct memory memory;
    static unsigned epoch; /* counts the sums; begins with 1 */
    for (unsigned g = 0; g < gpus; g++)
        if (memory.slots[g] == NULL) {
            cudaSetDevice(shares[g].device);
            cudaMalloc((void **)&memory.slots[g], 2 * MOST * sizeof(word));
            cudaMemset(memory.slots[g], 0, 2 * MOST * sizeof(word));
            cudaDeviceSynchronize(); /* before another GPU writes there */
        }
    for (unsigned k = 0; k < 2; k++) {
        epoch++;
        for (unsigned g = 0; g < gpus; g++) {
            const struct share *s = &shares[g];
            cudaSetDevice(s->device);
            sum_with_peers<<<1, block, 0, s->stream>>>(s->in, s->n, k == 0 ? 1.0f : 10.0f, memory,
                                                       g, gpus, epoch, s->out + k);
        }
    }
}
