/*
 * peer_slots.h: the slots of step 09 once more, between GPUs. Each GPU of a host writes its sum
 * into the memory of every other, over NVLink, and waits for theirs in its own memory. All add the
 * same numbers in the same order, so all end with the same bits.
 */
#ifndef PEER_SLOTS_H
#define PEER_SLOTS_H

#include "slots.h"

#define MOST_GPUS 8 /* of one host that reach each other's memory */

/* What GPU `rank` of `count` knows of the others. A kernel takes it as a __grid_constant__
   argument: so each lane may take another of slots[], and it is not copied. slots[g] lies in the
   memory of GPU g: one word for each GPU that writes there, for an even epoch and for an odd one,
   zero at first. Two are enough: a GPU publishing epoch e has read all of epoch e - 1, so all
   others are done with e - 2. */
struct peers {
    unsigned count, rank;
    word *slots[MOST_GPUS]; /* we write to slots[g][side + rank], and read slots[rank][side + g] */
    word *epoch;            /* our own memory: the number of the last sum, zero at first */
    word *lost;             /* our own memory, zero at first: 1 + the GPU that did not answer */
    long long timeout;      /* nanoseconds to wait for another GPU */
};

#define PEER_WORDS (2 * MOST_GPUS + 2) /* slots, epoch, lost: zeroed device memory of each GPU */

/* The GPU's time, one for all its SMs; clock64() is that of one SM, in cycles of a clock that
   changes. */
static inline __device__ long long nanoseconds(void)
{
    long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

/* await_slot(), but not for ever: a GPU or its process may end. False after `timeout` nanoseconds.
 */
static inline __device__ bool await_peer(const volatile word *slot, unsigned epoch,
                                         long long timeout, float *sum)
{
    long long start = 0;
    word w;
    for (unsigned polls = 1; (unsigned)((w = *slot) >> 32) != epoch; polls++) {
        if (polls % 64 > 0) /* most sums come sooner, and need not wait for the timer */
            continue;
        long long now = nanoseconds();
        if (start == 0)
            start = now;
        else if (now - start > timeout)
            return false;
    }
    *sum = __uint_as_float((unsigned)w);
    return true;
}

/* The number of this sum, the same on all GPUs, since all have made as many. For thread 0, which
   asks for it first: it comes while the numbers are read. After 2^32 - 1 comes an even one that is
   in no slot any more. */
static inline __device__ unsigned next_epoch_of_peers(const struct peers *peers)
{
    unsigned epoch = (unsigned)*(volatile word *)peers->epoch + 1;
    return epoch == 0 ? 2 : epoch;
}

/* The first warp of one block of each GPU comes here, whole, lane 0 with its GPU's sum and the
   epoch, and gets the sum of all, in every lane. NaN if a GPU did not answer: *peers->lost says
   which then. */
static inline __device__ float sum_of_peers(float sum, const struct peers *peers, unsigned epoch)
{
    unsigned lane = threadIdx.x % 32;
    word *theirs = peers->slots[lane % MOST_GPUS], *ours = peers->slots[peers->rank];
    bool answered = true;

    sum = __shfl_sync(0xffffffff, sum, 0);
    epoch = __shfl_sync(0xffffffff, epoch, 0);
    unsigned side = epoch % 2 * MOST_GPUS;
    if (lane < peers->count && lane != peers->rank) {
        publish(&theirs[side + peers->rank], epoch, sum); /* lane g writes to GPU g, and ... */
        answered = await_peer(&ours[side + lane], epoch, peers->timeout, &sum); /* waits */
    }
    unsigned silent = __ballot_sync(0xffffffff, !answered);
    float total = 0.0f;
    for (unsigned g = 0; g < peers->count; g++)
        total += __shfl_sync(0xffffffff, sum, g);
    if (silent != 0)
        total = nanf("");
    if (silent != 0 && lane == 0)
        *(volatile word *)peers->lost = __ffs(silent); /* 1 + the first of them */
    if (lane == 0)
        *(volatile word *)peers->epoch = epoch;
    return total;
}

#endif
