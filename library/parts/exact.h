/*
 * exact.h: how the exact sums of step 13 end: the partial sums of all blocks in slots, and from
 * them one float.
 */
#ifndef EXACT_H
#define EXACT_H

#include "partial.h"
#include "slots.h"

/* A slot for units and flags has PARTIAL_WORDS; after all of these are the slots for limbs, a word
   each, which count where the flags say so. All are words of the array that struct slots (step 09)
   has. */
enum { PARTIAL_WORDS = 4, FLAGS = 5, LIMB_WORDS = LIMBS };
#define EXACT_WORDS(blocks) ((PARTIAL_WORDS + LIMB_WORDS) * (blocks))

/* The k-th word of a slot. Four threads write a slot, and for those that read it they are
   neighbours. */
static inline __device__ word partial_word(struct partial p, unsigned epoch, unsigned k)
{
    int128 all = p.units * (1 << FLAGS) + p.flags;
    return (word)epoch << 32 | (unsigned)(all >> 32 * k);
}

/* await_slots() for such slots. */
static inline __device__ struct partial await_partial(const volatile word *slot, bool has_one,
                                                      unsigned epoch)
{
    word w[PARTIAL_WORDS] = {};
    bool here = !has_one;
    do {
        if (has_one) {
            here = true;
            for (int k = 0; k < PARTIAL_WORDS; k++)
                w[k] = slot[k];
            for (int k = 0; k < PARTIAL_WORDS; k++)
                here = here && w[k] >> 32 == epoch;
        }
    } while (__any_sync(0xffffffff, !here));
    int128 all = (int)w[3];
    for (int k = 2; k >= 0; k--)
        all = all * (1LL << 32) + (unsigned)w[k];
    struct partial p = {all >> FLAGS, (unsigned)all & ((1 << FLAGS) - 1)};
    return p;
}

/* A warp publishes limbs, as digits. Of the highest 26 bits and a sign are enough for 2^35 floats:
   so 5 are left for the flags. */
template <bool IN_SHARED>
static inline __device__ void publish_limbs(word *slot, word limb, unsigned flags, unsigned epoch)
{
    unsigned lane = threadIdx.x % 32, digit = digits_of(limb);
    if (lane == LIMBS - 1)
        digit = digit << FLAGS >> FLAGS | flags << (32 - FLAGS);
    if (lane < LIMBS && IN_SHARED)
        atomicExch(&slot[lane], (word)epoch << 32 | digit);
    else if (lane < LIMBS)
        *(volatile word *)&slot[lane] = (word)epoch << 32 | digit;
}

/* What `blocks` slots hold, as far as this thread of so many takes them. */
static inline __device__ struct partial await_sums(const word *slot, unsigned blocks,
                                                   unsigned threads, unsigned epoch)
{
    struct partial sum = {};
    for (unsigned first = 0; first < blocks; first += threads) {
        unsigned i = first + threadIdx.x;
        sum = add(sum, await_partial(slot + PARTIAL_WORDS * i, i < blocks, epoch));
    }
    return sum;
}

/* The same for limbs: a warp, of so many, takes every so-many-th slot, three of them with each
   load: lanes k, k + 10 and k + 20 digit k of one each. limb[] gets their sum. Where place is 0
   every block has published some. In a cluster it is warps that have slots. Returns the flags. */
static inline __device__ unsigned await_all_limbs(word *limb, const word *slot, unsigned blocks,
                                                  unsigned warps, unsigned place, unsigned epoch)
{
    const unsigned LOADS = 11, EACH = 32 / LIMBS, all = 0xffffffff, lane = threadIdx.x % 32;
    const unsigned k = lane % LIMBS, step = EACH * warps;
    const volatile word *units = slot, *digits = slot + PARTIAL_WORDS * blocks + k;
    unsigned bits = 0;
    word sum = 0;
    unsigned at = lane < EACH * LIMBS ? threadIdx.x / 32 + lane / LIMBS * warps : blocks;
    for (; __any_sync(all, at < blocks); at += LOADS * step) {
        const volatile word *mine = digits + LIMB_WORDS * at;
        unsigned wanted = all, missing;
        word w[LOADS];
        /* These flags another thread has polled, and then came a barrier: PTX's causality order
           lets no read after it see an older word. */
#pragma unroll 1 /* it is rare */
        for (unsigned i = 0; i < LOADS && place > 0; i++) {
            if (at + i * step < blocks && !(units[PARTIAL_WORDS * (at + i * step)] & HAS_LIMBS))
                wanted &= ~(1u << i);
        }
        do {
            missing = 0;
#pragma unroll
            for (unsigned i = 0; i < LOADS; i++) {
                w[i] = (word)epoch << 32;
                if (at + i * step < blocks && wanted >> i & 1)
                    w[i] = mine[i * LIMB_WORDS * step];
            }
#pragma unroll
            for (unsigned i = 0; i < LOADS; i++)
                missing |= (unsigned)(w[i] >> 32) ^ epoch;
        } while (__any_sync(all, missing != 0));
#pragma unroll
        for (unsigned i = 0; i < LOADS; i++) {
            bits |= (unsigned)w[i];
            sum += (unsigned)w[i];
        }
    }
    sum += __shfl_down_sync(all, sum, LIMBS) + __shfl_down_sync(all, sum, 2 * LIMBS);
    if (k == LIMBS - 1) /* flags were added up, too, above it */
        sum = (word)(long long)((int)((unsigned)sum << FLAGS) >> FLAGS);
    unsigned flags = k == LIMBS - 1 ? bits >> (32 - FLAGS) : 0;
    if (lane < LIMBS)
        limb[lane] = sum;
    return IN_LIMBS | flags;
}

/* A warp hands over what its block has. */
static inline __device__ void publish_partial(struct partial p, unsigned place,
                                              limbs_of_warps limbs, struct slots slots,
                                              unsigned epoch)
{
    volatile word *units = slots.slot + PARTIAL_WORDS * blockIdx.x;
    word *limb = slots.slot + PARTIAL_WORDS * gridDim.x + LIMB_WORDS * blockIdx.x;
    if (place > 0 && threadIdx.x < PARTIAL_WORDS)
        units[threadIdx.x] = partial_word(p, epoch, threadIdx.x);
    if (p.flags & HAS_LIMBS)
        publish_limbs<false>(limb, sum_of_limbs(limbs, blockDim.x / 32), p.flags, epoch);
}

/* Block 0 takes what all blocks gave. If IN_LIMBS is there, limbs[] counts: mostly the others need
   not be asked for theirs. The barriers: share() uses its memory again, and the first warp may
   still be reading limbs[]. */
static inline __device__ struct partial await_partials(limbs_of_warps limbs, unsigned place,
                                                       size_t n, struct slots slots, unsigned epoch)
{
    struct partial sum = {}, rest = {};
    bool ask = true;
    __syncthreads();
    if (place > 0) {
        sum = await_sums(slots.slot, gridDim.x, blockDim.x, epoch);
        sum = sum_of_warps(share(sum, place), place);
        /* In the last epoch, all that was published must have come when the slots are emptied. */
        ask = epoch == 0xffffffff || limbs_matter(sum, place, n);
        sum.flags &= ~(unsigned)HAS_LIMBS;
        if (ask)
            __syncthreads(); /* after the sums, for the flags */
    }
    if (ask) {
        rest.flags = await_all_limbs(limbs[threadIdx.x / 32], slots.slot, gridDim.x,
                                     blockDim.x / 32, place, epoch);
        sum.flags |= sum_of_warps(share(rest, 0), 0).flags;
    }
    end_epoch(slots, epoch);
    return sum;
}

/* All threads come here, each with units of 2^(place - 150), with flags, and, if these say so, with
   more in the limbs of its warp. */
static inline __device__ void finish_exactly(limbs_of_warps limbs, struct partial p, unsigned place,
                                             size_t n, struct slots slots, unsigned epoch,
                                             float *out)
{
    const struct warp_sums *sums = share(p, place);
    if (threadIdx.x < 32) {
        p = sum_of_warps(sums, place);
        publish_partial(p, place, limbs, slots, epoch);
    }
    if (blockIdx.x > 0)
        return;
    p = await_partials(limbs, place, n, slots, epoch);
    if (threadIdx.x < 32)
        round_to(out, p, place, n, limbs, blockDim.x / 32);
}

/* Blocks of s->block threads, up to per_sm on each SM, a tile of `loads` float4 a thread for each;
   and their slots. */
static inline unsigned exact_grid(const struct sum *s, size_t loads, unsigned per_sm)
{
    unsigned tiles = blocks_for(s->n, s->block * loads * 4), most = per_sm * s->sms;
    return waiting_grid(tiles < most ? tiles : most, s->sms);
}

/* Slots for 6 blocks on each SM, at least as many as any kernel here asks for, zeroed once. */
static inline struct slots lesson_exact_slots(const struct sum *s)
{
    static void *memory;
    unsigned words = EXACT_WORDS(6 * s->sms);
    if (memory == NULL) {
        CUDA_CHECK(cudaMalloc(&memory, SLOT_BYTES(words)));
        CUDA_CHECK(cudaMemset(memory, 0, SLOT_BYTES(words)));
    }
    return slots_in(memory, words);
}

#endif
