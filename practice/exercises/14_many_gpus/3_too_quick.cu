/*
 * 14-3, repair: a GPU that is one sum ahead.
 *
 * Each GPU stores its sum, with the epoch, into a slot in every other GPU's memory, and waits in
 * its own. launch() makes four sums, one right after the other, and the host waits for none. GPU 1
 * is slow: it has published, but it looks late for what came. The others have all they need by
 * then, and go on to the next sum. What becomes of the slots in GPU 1's memory? Give them more
 * room.
 *
 * The host must not wait between the sums, GPU 1 stays as slow as it is, and nothing more may be
 * stored into other GPUs' memory: one word for each sum and pair. A block on each GPU, of whole
 * warps.
 */
#include "library/parts/slots.h"

enum { MOST = 8, SUMS = 4, ROOM = MOST };

struct memory {
    word *slots[MOST]; /* of each GPU: ROOM words, 0 at first */
};

/* The slot for what GPU `from` publishes in this epoch. */
__device__ word *slot_of(word *slots, unsigned from, unsigned epoch)
{
    (void)epoch;
    return &slots[from];
}

/* Reads 400 times, one after the other, what is never all ones. */
__device__ void waste_time(const volatile word *memory)
{
    for (int reads = 0; reads < 400; reads += *memory != ~0ull)
        ;
}

__global__ void sum_with_peers(struct share share, struct memory memory, unsigned rank,
                               unsigned gpus, unsigned epoch, unsigned k)
{
    float sum = 0.0f;
    for (size_t i = threadIdx.x; i < share.n; i += blockDim.x)
        sum += (k + 1) * share.in[i]; /* each sum is another one */
    sum = block_sum(sum);
    if (threadIdx.x > 0)
        return;

    for (unsigned g = 0; g < gpus; g++)
        if (g != rank)
            publish(slot_of(memory.slots[g], rank, epoch), epoch, sum);
    if (rank == 1)
        waste_time(memory.slots[1]);
    float total = 0.0f;
    for (unsigned g = 0; g < gpus; g++)
        total += g == rank ? sum : await_slot(slot_of(memory.slots[rank], g, epoch), epoch);
    share.out[k] = total;
}

extern "C" void launch(const struct share *shares, unsigned gpus, unsigned block)
{
    static struct memory memory;
    static unsigned epoch; /* counts the sums; begins with 1 */
    for (unsigned g = 0; g < gpus; g++)
        if (memory.slots[g] == NULL) {
            cudaSetDevice(shares[g].device);
            cudaMalloc((void **)&memory.slots[g], ROOM * sizeof(word));
            cudaMemset(memory.slots[g], 0, ROOM * sizeof(word));
            cudaDeviceSynchronize(); /* before another GPU writes there */
        }
    for (unsigned k = 0; k < SUMS; k++) {
        epoch++;
        for (unsigned g = 0; g < gpus; g++) {
            cudaSetDevice(shares[g].device);
            sum_with_peers<<<1, block, 0, shares[g].stream>>>(shares[g], memory, g, gpus, epoch, k);
        }
    }
}
