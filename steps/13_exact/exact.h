/*
 * exact.h: how the exact sums of step 13 end: the partial sums of all blocks in slots, and from
 * them one float.
 */
#ifndef EXACT_H
#define EXACT_H

#include "09_single_pass/slots.h"
#include "partial.h"

/* A slot for units and flags has PARTIAL_WORDS; behind all of these are the slots for limbs, which
   count where the flags say so. All are words of the array that struct slots (step 09) has. */
enum { PARTIAL_WORDS = 4, FLAGS = 5, LIMB_WORDS = 2 * LIMBS };
#define EXACT_WORDS(blocks) ((PARTIAL_WORDS + LIMB_WORDS) * (blocks))

/* The k-th word of a slot. Four threads write a slot, and for those who collect it they are
   neighbours. */
static inline __device__ word partial_word(struct partial p, unsigned epoch, unsigned k)
{
    int128 all = p.units * (1 << FLAGS) + p.flags;
    return (word)epoch << 32 | (unsigned)(all >> 32 * k);
}

/* collect_together() for slots of so many words, `stride` words apart, which go to w[]. */
template <int WORDS>
static inline __device__ void collect_words(word *w, const volatile word *slot, unsigned stride,
                                            bool has_one, unsigned epoch)
{
    bool here = !has_one;
    do {
        if (has_one) {
            here = true;
            for (int k = 0; k < WORDS; k++)
                w[k] = slot[k * stride];
            for (int k = 0; k < WORDS; k++)
                here = here && w[k] >> 32 == epoch;
        }
    } while (__any_sync(0xffffffff, !here));
}

static inline __device__ struct partial collect_partial(const word *slot, bool has_one,
                                                        unsigned epoch)
{
    word w[PARTIAL_WORDS] = {};
    collect_words<PARTIAL_WORDS>(w, slot, 1, has_one, epoch);
    int128 all = (int)w[3];
    for (int k = 2; k >= 0; k--)
        all = all * (1LL << 32) + (unsigned)w[k];
    struct partial p = {all >> FLAGS, (unsigned)all & ((1 << FLAGS) - 1)};
    return p;
}

/* A warp posts limbs, in halves; the k-th halves of all blocks are neighbours. The last limb of a
   block is 0 yet: so the flags take its place. */
template <bool IN_SHARED>
static inline __device__ void post_limbs(word *slot, unsigned blocks, word limb, unsigned flags,
                                         unsigned epoch)
{
    unsigned lane = threadIdx.x % 32;
    limb = lane == LIMBS - 1 ? flags : limb;
    if (lane < LIMBS) {
        word half[2] = {(word)epoch << 32 | (unsigned)limb, (word)epoch << 32 | limb >> 32};
        for (int k = 0; k < 2; k++) {
            if (IN_SHARED)
                atomicExch(&slot[(2 * lane + k) * blocks], half[k]);
            else
                *(volatile word *)&slot[(2 * lane + k) * blocks] = half[k];
        }
    }
}

/* collect_partial() for limbs, which are added to limb[]. Returns the flags. */
static inline __device__ unsigned collect_limbs(long long *limb, const word *slot, unsigned blocks,
                                                bool has_one, unsigned epoch)
{
    word w[LIMB_WORDS] = {};
    collect_words<LIMB_WORDS>(w, slot, blocks, has_one, epoch);
    for (int k = 0; k + 1 < LIMBS; k++)
        limb[k] += (long long)(w[2 * k + 1] << 32 | (unsigned)w[2 * k]);
    return (unsigned)w[LIMB_WORDS - 2];
}

/* What `blocks` slots hold, as far as this thread of so many takes them. */
static inline __device__ struct partial collect_sums(const word *slot, unsigned blocks,
                                                     unsigned threads, unsigned epoch)
{
    struct partial sum = {};
    for (unsigned first = 0; first < blocks; first += threads) {
        unsigned i = first + threadIdx.x;
        sum = add(sum, collect_partial(slot + PARTIAL_WORDS * i, i < blocks, epoch));
    }
    return sum;
}

/* The same for limbs: this warp's share goes through its accumulators into limb[], whose old
   contents are lost. Where place is 0 every block has posted some. In a cluster it is warps that
   have slots. Returns the flags. */
static inline __device__ unsigned collect_all_limbs(accumulators a, word *limb, const word *slot,
                                                    unsigned blocks, unsigned threads,
                                                    unsigned place, unsigned epoch)
{
    const word *limbs = slot + PARTIAL_WORDS * blocks;
    unsigned flags = IN_LIMBS;
    long long sum[LIMBS] = {};
    for (unsigned first = 0; first < blocks; first += threads) {
        unsigned i = first + threadIdx.x;
        bool has_one = i < blocks;
        if (place > 0) {
            const word *units = slot + PARTIAL_WORDS * i;
            has_one = collect_partial(units, has_one, epoch).flags & HAS_LIMBS;
        }
        flags |= collect_limbs(sum, limbs + i, blocks, has_one, epoch);
    }
    for (int k = 0; k < NEGATIVE; k++) {
        a[k][threadIdx.x] = sum[k] > 0 ? (word)sum[k] : 0;
        a[NEGATIVE + k][threadIdx.x] = sum[k] < 0 ? (word)-sum[k] : 0;
    }
    a[BEYOND][threadIdx.x] = (word)sum[NEGATIVE];
    add_up(a, limb);
    return flags;
}

/* A warp hands over what its block has. */
static inline __device__ void give_sum(struct partial p, unsigned place, limbs_of_warps limbs,
                                       struct slots slots, unsigned epoch)
{
    volatile word *units = slots.slot + PARTIAL_WORDS * blockIdx.x;
    word *limb = slots.slot + PARTIAL_WORDS * gridDim.x + blockIdx.x;
    if (place > 0 && threadIdx.x < PARTIAL_WORDS)
        units[threadIdx.x] = partial_word(p, epoch, threadIdx.x);
    if (p.flags & HAS_LIMBS)
        post_limbs<false>(limb, gridDim.x, sum_of_limbs(limbs, blockDim.x / 32), p.flags, epoch);
}

/* Block 0 takes what all blocks gave. If IN_LIMBS is there, limbs[] counts: mostly the others need
   not be asked for theirs. The barriers: share() uses its memory again, and the first warp may
   still be reading limbs[]. */
static inline __device__ struct partial take_sums(accumulators a, limbs_of_warps limbs,
                                                  unsigned place, size_t n, struct slots slots,
                                                  unsigned epoch)
{
    struct partial sum = {}, rest = {};
    bool ask = true;
    __syncthreads();
    if (place > 0) {
        sum = collect_sums(slots.slot, gridDim.x, blockDim.x, epoch);
        sum = sum_of_warps(share(sum, place), place);
        /* In the last epoch, all that was posted must have come when the slots are emptied. */
        ask = epoch == 0xffffffff || limbs_matter(sum, place, n);
        sum.flags &= ~(unsigned)HAS_LIMBS;
        if (ask)
            __syncthreads(); /* behind the sums, for the flags */
    }
    if (ask) {
        rest.flags = collect_all_limbs(a, limbs[threadIdx.x / 32], slots.slot, gridDim.x,
                                       blockDim.x, place, epoch);
        sum.flags |= sum_of_warps(share(rest, 0), 0).flags;
    }
    end_epoch(slots, epoch);
    return sum;
}

/* All threads come here, each with units of 2^(place - 150), with flags, and, if these say so, with
   more in the limbs of its warp. */
static inline __device__ void finish_exactly(accumulators a, limbs_of_warps limbs, struct partial p,
                                             unsigned place, size_t n, struct slots slots,
                                             unsigned epoch, float *out)
{
    const struct warp_sums *sums = share(p, place);
    if (threadIdx.x < 32) {
        p = sum_of_warps(sums, place);
        give_sum(p, place, limbs, slots, epoch);
    }
    if (blockIdx.x > 0)
        return;
    p = take_sums(a, limbs, place, n, slots, epoch);
    if (threadIdx.x < 32)
        round_to(out, p, place, n, limbs, blockDim.x / 32);
}

/* Blocks of s->block threads, up to per_sm on each SM, a tile of `loads` float4 a thread for each;
   and their slots. */
static inline unsigned exact_grid(const struct sum *s, size_t loads, unsigned per_sm)
{
    unsigned tiles = blocks_for(s->n, s->block * loads * 4), most = per_sm * s->sms;
    return tiles < most ? tiles : most;
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
