/*
 * reduce_meet.h: how several blocks come to one answer. Either the last of them to be done puts
 * together what all have left: then it has to see all that they wrote, and a ticket says so. Or one
 * waits for words with flags, which need no order among them; that is sooner.
 */
#ifndef REDUCE_MEET_H
#define REDUCE_MEET_H

#include "reduce_state.h"

/* As a block leaves it in the workspace; the count follows from the place. */
template <class OP> struct partial_state {
    float first;
    typename OP::second second;
};

/* What blocks share, in the workspace. */
struct shared_answers {
    unsigned *tickets;
    void *slots, *flagged;
};

/* ---- tickets ---- */

/* A ticket: how many of `count` blocks came before. What this block wrote, others see no later than
   that it came; and it sees what those wrote that came before. __threadfence() on both sides of
   atomicInc() promises more, one order of all fences, and waits for that twice. */
static inline __device__ unsigned draw_ticket(unsigned count, unsigned *ticket)
{
#if defined(__CUDA_ARCH__) && !defined(SIMT_SIMULATOR)
    unsigned before;
    asm volatile("atom.inc.acq_rel.gpu.u32 %0, [%1], %2;"
                 : "=r"(before)
                 : "l"(ticket), "r"(count - 1)
                 : "memory");
    return before;
#else
    __threadfence();
    const unsigned before = atomicInc(ticket, count - 1);
    __threadfence();
    return before;
#endif
}

/* True in all threads of the block that comes here last of `count`: then it may read what the
   others wrote before they came. The ticket of step 09; it is left at 0. */
static inline __device__ bool is_last_of(unsigned count, unsigned *ticket)
{
    __shared__ bool last;
    if (threadIdx.x == 0)
        last = draw_ticket(count, ticket) == count - 1;
    __syncthreads();
    return last;
}

/* ---- slots without flags, of segments ---- */

enum { SLOTS_AT_ONCE = 16 }; /* that a lane asks for before it waits for one */

template <class OP>
static inline __device__ struct partial_state<OP> joined(OP op, struct partial_state<OP> a,
                                                         struct partial_state<OP> b) {
    float first = op.merge_first(a.first, b.first);
    return {first, op.merge_second(op.rebase(a.first, a.second, 0, 0.0f, first),
                                   op.rebase(b.first, b.second, 0, 0.0f, first))};
}

template <class OP>
static inline __device__ struct partial_state<OP> nothing_open(OP op) {
    return {op.none(), op.no_second()};
}

/* Called by one warp of each of the blocks `first` to `last`, which share an answer, with what its
   block knows. The last to come writes out[i]; the element `start` is to have the number 0 there.
   A block has two slots: one for what it is the last to share, one for what others share behind. */
template <class OP>
static inline __device__ void put_blocks_together(OP op, struct partial_state<OP> mine,
                                                  struct shared_answers shared, size_t first,
                                                  size_t last, size_t start, void *out, size_t i)
{
    struct partial_state<OP> *slots = (struct partial_state<OP> *)shared.slots;
    const unsigned lane = threadIdx.x % 32, count = (unsigned)(last - first + 1);
    bool comes_last = false;

    if (lane == 0) {
        slots[2 * blockIdx.x + (blockIdx.x == last)] = mine;
        comes_last = draw_ticket(count, &shared.tickets[last]) == count - 1;
    }
    if (!__shfl_sync(ALL_LANES, (int)comes_last, 0))
        return;
    __syncwarp();
    struct partial_state<OP> s = nothing_open(op), part[SLOTS_AT_ONCE];
    for (size_t next = first + lane; next <= last; next += 32 * SLOTS_AT_ONCE) {
#pragma unroll
        for (unsigned k = 0; k < SLOTS_AT_ONCE; k++) {
            const size_t block = next + 32 * k;
            part[k] = block <= last ? slots[2 * block + (block == last)] : nothing_open(op);
        }
#pragma unroll
        for (unsigned k = 0; k < SLOTS_AT_ONCE; k++)
            s = joined(op, s, part[k]);
    }
    float largest = s.first;
    all_firsts<1>(op, &largest, 32);
    if constexpr (OP::TWO) {
        s.second = op.rebase(s.first, s.second, 0, 0.0f, largest);
        all_seconds<1>(op, &s.second, 32);
    }
    if (lane == 0)
        op.answer(largest, op.since(s.second, start), 0, out, i);
}

/* ---- slots with flags, of rows ---- */

/* As the slots of step 09, but for a state: words of 64 bits, each with a part of it and a flag.
   A word arrives whole, so no fence is needed. 0: nothing has come. Whoever has read a word leaves
   it at 0 for the next launch. */
template <class OP> struct flagged_state {
    enum { WORDS = !OP::TWO ? 1 : 1 + (int)sizeof(typename OP::second) / 4 };
    word of[WORDS];
};
/* Slots that a thread reads at once. 4 take so many registers that an SM runs no more than 4
   blocks, and L1 still has what they look at again. */
template <class OP> struct row_slots {
    enum { AT_ONCE = OP::LOOKS_AGAIN ? 4 : 2 };
};
#define FLAG ((word)1 << 32)

static inline __device__ void put_second(volatile word *of, float second)
{
    of[0] = FLAG | __float_as_uint(second);
}
static inline __device__ void put_second(volatile word *of, size_t second)
{
    of[0] = FLAG | (unsigned)second;
    of[1] = FLAG | (unsigned)(second >> 32);
}
static inline __device__ void get_second(const word *of, float &second)
{
    second = __uint_as_float((unsigned)of[0]);
}
static inline __device__ void get_second(const word *of, size_t &second)
{
    second = (size_t)(unsigned)of[0] | (size_t)(unsigned)of[1] << 32;
}

/* By one thread of the block. */
template <class OP>
static inline __device__ void publish_state(struct flagged_state<OP> *slot,
                                            const struct running<OP> &s)
{
    volatile word *of = slot->of;
    of[0] = FLAG | __float_as_uint(s.first);
    if constexpr (OP::TWO)
        put_second(of + 1, s.second);
}

/* Reads slots; a whole warp comes here, and waits until all that are asked for have come. NULL:
   none is, and the state is left as it is. */
template <class OP>
static inline __device__ void await_states(struct partial_state<OP> *states,
                                           struct flagged_state<OP> *const *slots)
{
    const int SLOTS = row_slots<OP>::AT_ONCE;
    struct flagged_state<OP> w[SLOTS];
    bool missing;
    do {
        missing = false;
#pragma unroll
        for (int k = 0; k < SLOTS; k++)
#pragma unroll
            for (int i = 0; i < flagged_state<OP>::WORDS; i++)
                w[k].of[i] = slots[k] != NULL ? ((volatile word *)slots[k]->of)[i] : FLAG;
#pragma unroll
        for (int k = 0; k < SLOTS; k++)
#pragma unroll
            for (int i = 0; i < flagged_state<OP>::WORDS; i++)
                missing |= w[k].of[i] < FLAG;
#ifdef SIMT_SIMULATOR /* it knows a thread that waits by one place that is read again and again */
        for (int k = 0; k < SLOTS; k++)
            for (int i = 0; missing && slots[k] != NULL && i < flagged_state<OP>::WORDS; i++)
                while (((volatile word *)slots[k]->of)[i] == 0)
                    continue;
#endif
    } while (__any_sync(0xffffffff, missing));
#pragma unroll
    for (int k = 0; k < SLOTS; k++) {
        if (slots[k] == NULL)
            continue;
        states[k].first = __uint_as_float((unsigned)w[k].of[0]);
        if constexpr (OP::TWO)
            get_second(w[k].of + 1, states[k].second);
#pragma unroll
        for (int i = 0; i < flagged_state<OP>::WORDS; i++)
            ((volatile word *)slots[k]->of)[i] = 0;
    }
}

/* The states of other blocks that a thread has read, of so many elements; 0: there is none. */
template <class OP> struct states_read {
    struct partial_state<OP> of[row_slots<OP>::AT_ONCE];
    unsigned elements[row_slots<OP>::AT_ONCE];
};

/* Takes them in, about one pivot. */
template <class OP>
static inline __device__ void take_states(OP op, struct running<OP> &s,
                                          const struct states_read<OP> &read)
{
    const int SLOTS = row_slots<OP>::AT_ONCE;
    float first = s.first;
    size_t count = s.count;
#pragma unroll
    for (int k = 0; k < SLOTS; k++) {
        first = op.merge_first(first, read.of[k].first);
        count += read.elements[k];
    }
    if constexpr (OP::TWO) {
        const float pivot = op.pivot(first, count);
        s.second = op.rebase(s.first, s.second, s.count, s.pivot, pivot);
#pragma unroll
        for (int k = 0; k < SLOTS; k++) {
            const struct partial_state<OP> of = read.of[k];
            const float from = op.pivot(of.first, read.elements[k]);
            s.second = op.merge_second(
                s.second, op.rebase(of.first, of.second, read.elements[k], from, pivot));
        }
        s.pivot = pivot;
    }
    s.first = first;
    s.count = count;
}

/* For warp_state() and block_state() of states that hold no place to look at again. */
struct all_taken {
};

template <class OP>
static inline __device__ typename OP::second at_pivot(OP op, const struct running<OP> &s,
                                                      float pivot, struct all_taken)
{
    return op.rebase(s.first, s.second, s.count, s.pivot, pivot);
}

/* How take_share() shares out n elements between `size` threads: each has `whole` vectors of whole
   tiles, and some have one more, or several, of the rest. 32 bits are enough for what one thread,
   or a block, has. */
struct row_shares {
    unsigned size, whole, rest, members, strays;
};

template <typename T>
static inline __device__ struct row_shares shares_of(const T *in, size_t n, unsigned size)
{
    const struct parts p = parts_of<LINE>(in, n);
    const unsigned tile = ROW_LOADS * size, tiles = (unsigned)(p.vectors / tile);
    return {size, tiles * ROW_LOADS, (unsigned)(p.vectors - (size_t)tiles * tile),
            sixteen_bytes<T>::MEMBERS, (unsigned)(p.head + p.tail)};
}

/* How many elements those `count` threads have that begin with number `first`, none or all of those
   with a stray element among them. */
static inline __device__ unsigned elements_of_threads(struct row_shares s, unsigned first,
                                                      unsigned count)
{
    unsigned vectors = s.whole * count;
#pragma unroll
    for (unsigned k = 0; k < ROW_LOADS; k++) {
        const unsigned before = first + k * s.size, left = s.rest > before ? s.rest - before : 0;
        vectors += left < count ? left : count;
    }
    return vectors * s.members + (first == 0 ? s.strays : 0);
}

#endif
