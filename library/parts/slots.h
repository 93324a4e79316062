/*
 * slots.h: the flagged slots of steps 09 and 11. A grid ends in one sum, with one launch, no
 * fence, no atomic and nothing to zero, and with the same bits every time.
 */
#ifndef SLOTS_H
#define SLOTS_H

#include "tile.h"
#include "waiting.h"     /* waiting_grid() */
#include "zeroed_word.h" /* word */

/* Each block has a slot, which holds its sum and the number of the launch that the sum belongs to,
   the epoch. Both arrive at once, for they are one word; that is why no fence is needed: nothing
   else is handed over. A kernel takes this as an argument; the words are in device memory. */
struct slots {
    word *epoch;   /* number of the last launch that has ended; zero at first */
    word *slot;    /* zero at first */
    unsigned room; /* how many slots there are, at least as many as blocks */
};

static inline __device__ void publish(volatile word *slot, unsigned epoch, float sum)
{
    *slot = (word)epoch << 32 | __float_as_uint(sum);
}

/* Waits until the slot carries this epoch. Volatile: it must be read anew each time. */
static inline __device__ float await_slot(const volatile word *slot, unsigned epoch)
{
    word w;
    do
        w = *slot;
    while ((unsigned)(w >> 32) != epoch);
    return __uint_as_float((unsigned)w);
}

/* The number of this launch. It is the same for all its blocks, however late they begin: block 0
   writes it down only when every block has published, and so has read it. */
static inline __device__ unsigned next_epoch(struct slots slots)
{
    return (unsigned)*(volatile word *)slots.epoch + 1;
}

/* await_slot() for a whole warp: a lane that has no slot says so, and gets 0. All look until the
   last has its own. If each waited for itself, the warp would leave the loop in parts, and on a GPU
   each shuffle after it would have to bring them together. */
static inline __device__ float await_slots(const volatile word *slot, bool has_one, unsigned epoch)
{
    word w = (word)epoch << 32;
    do {
        if (has_one)
            w = *slot;
    } while (__any_sync(0xffffffff, (unsigned)(w >> 32) != epoch));
    return __uint_as_float((unsigned)w);
}

/* Block 0, when all sums have come: the next launch is another epoch. */
static inline __device__ void end_epoch(struct slots slots, unsigned epoch)
{
    if (epoch == 0xffffffff) { /* from here on epochs come again: forget the old ones */
        for (unsigned i = threadIdx.x; i < slots.room; i += blockDim.x)
            publish(&slots.slot[i], 0, 0.0f);
        epoch = 0;
    }
    if (threadIdx.x == 0)
        *(volatile word *)slots.epoch = epoch;
}

/* All threads of `count` blocks come here, with thread 0 holding the sum that belongs in the slot
   `mine`. Only the block with slot 0 waits, and it waits for blocks that do not wait themselves: so
   they need not be on the GPU all at once. But there must be room for one beside it (waiting.h).
   The sums are added in the order of the slots, not of their arrival. */
static inline __device__ void finish_in_slots(float sum, unsigned mine, unsigned count,
                                              struct slots slots, unsigned epoch, float *out)
{
    if (threadIdx.x == 0)
        publish(&slots.slot[mine], epoch, sum);
    if (mine > 0)
        return;
    __syncthreads(); /* block_sum() uses its shared memory again */
    sum = 0.0f;
    for (unsigned first = 0; first < count; first += blockDim.x) {
        unsigned i = first + threadIdx.x;
        sum += await_slots(&slots.slot[i], i < count, epoch);
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        *out = sum;
    end_epoch(slots, epoch);
}

/* Bytes of device memory for so many slots, and the slots in such memory. */
#define SLOT_BYTES(room) ((1 + (size_t)(room)) * sizeof(word))

static inline struct slots slots_in(void *memory, unsigned room)
{
    struct slots slots = {(word *)memory, (word *)memory + 1, room};
    return slots;
}

/* Slots for 64 blocks on each SM, zeroed once: every launch leaves them ready for the next. Two
   launches at the same time, in two streams, would need two sets. */
static inline struct slots lesson_slots(const struct sum *s)
{
    static void *memory;
    unsigned room = 64 * s->sms;
    if (memory == NULL) {
        CUDA_CHECK(cudaMalloc(&memory, SLOT_BYTES(room)));
        CUDA_CHECK(cudaMemset(memory, 0, SLOT_BYTES(room)));
    }
    return slots_in(memory, room);
}

#endif
