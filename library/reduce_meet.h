/*
 * reduce_meet.h: how several blocks come to one answer: each leaves its state in a slot. Those of
 * rows and columns are words with flags, which need no order among them: one block waits for them.
 * Of segments, the last block to be done puts together what all have left; it has to see all that
 * they wrote, and a ticket says so.
 */
#ifndef REDUCE_MEET_H
#define REDUCE_MEET_H

#include "reduce_common.h" /* shared_answers */

/* As a block leaves it in the workspace; the count follows from the place. */
template <class OP> struct partial_state {
    float first;
    typename OP::second second;
};

/* ---- slots with flags, of rows and columns ---- */

/* As the slots of step 09, but for a state: words of 64 bits, each with a part of it. A word
   arrives whole, so no fence is needed. 0: nothing has come, which no part looks like. A word that
   has been read is left at 0 for the next launch. */
template <class OP> constexpr unsigned words_of = OP::TWO ? 2 : 1;

/* The slots of all blocks that share an answer: word i of slot k is of[k * stride + i * apart]. */
struct meeting {
    volatile word *of;
    unsigned stride, apart;
    unsigned slots, own; /* there are so many; number `own` is this block's */
};

static inline __device__ word to_word(float part)
{
    return (word)1 << 32 | __float_as_uint(part);
}
static inline __device__ word to_word(size_t number) /* below 2^40, or -1 */
{
    return number + 2;
}
static inline __device__ void from_word(word w, float &part)
{
    part = __uint_as_float((unsigned)w);
}
static inline __device__ void from_word(word w, size_t &number)
{
    number = (size_t)w - 2;
}

/* By one thread of the block. */
template <class OP>
static __device__ void publish_state(const struct meeting &m, const running<OP> &s)
{
    volatile word *slot = m.of + m.own * m.stride;
    slot[0] = to_word(s.first);
    if constexpr (OP::TWO)
        slot[m.apart] = to_word(s.second);
}

/* Reads the slots `next`, next + by ... that there are; a whole warp comes here, and waits until
   all that are asked for have come. Its own is the state `own`. */
template <int SLOTS, class OP>
static __device__ void await_states(OP op, partial_state<OP> (&read)[SLOTS],
                                    const struct meeting &m, unsigned next, unsigned by,
                                    const partial_state<OP> &own)
{
    const int WORDS = words_of<OP>;
    word w[SLOTS][WORDS];
    bool missing;
    unsigned again = next;
    do {
        missing = false;
#ifndef SIMT_SIMULATOR /* else the addresses are kept, in registers that there are not */
        asm volatile("" : "+r"(again));
#endif
        for (int k = 0; k < SLOTS; k++) {
            const unsigned i = again + k * by;
            const bool is_there = i < m.slots && i != m.own;
            for (int j = 0; j < WORDS; j++)
                w[k][j] = is_there ? m.of[i * m.stride + j * m.apart] : 1;
        }
        for (int k = 0; k < SLOTS; k++)
            for (int j = 0; j < WORDS; j++)
                missing |= w[k][j] == 0;
#ifdef SIMT_SIMULATOR /* it knows a thread that waits by one place that is read again and again */
        for (unsigned k = 0, i = next; missing && k < SLOTS && i < m.slots; k++, i += by)
            for (int j = 0; i != m.own && j < WORDS; j++)
                while (m.of[i * m.stride + j * m.apart] == 0)
                    continue;
#endif
    } while (__any_sync(ALL_LANES, missing));
    for (int k = 0; k < SLOTS; k++) {
        const unsigned i = next + k * by;
        read[k] = {OP::NONE, OP::NO_SECOND};
        if (i == m.own)
            read[k] = own;
        if (i >= m.slots || i == m.own)
            continue;
        from_word(w[k][0], read[k].first);
        if constexpr (OP::TWO)
            from_word(w[k][1], read[k].second);
        for (int j = 0; j < WORDS; j++)
            m.of[i * m.stride + j * m.apart] = 0;
    }
}

/* Every by-th slot from number `begin` on, SLOTS at once, in this order; of them its own is the
   state `s`, which becomes that of all. count_of(i): of how many elements the state in slot i is.
   Those of a few slots are known before the words come; of more there are no registers for them. */
template <int SLOTS, class OP, class COUNT_OF>
static __device__ void take_slots(OP op, running<OP> &s, const struct meeting &m, unsigned begin,
                                  unsigned by, COUNT_OF count_of)
{
    const partial_state<OP> own = {s.first, s.second};
    s = nothing_yet(op);
    for (unsigned next = begin; next - begin < m.slots; next += SLOTS * by) {
        partial_state<OP> read[SLOTS];
        decltype(count_of(0)) known[SLOTS];
        const auto count = [&](unsigned i) { return i < m.slots ? count_of(i) : 0; };
        for (int k = 0; SLOTS <= 4 && k < SLOTS; k++)
            known[k] = count(next + k * by);
        const auto elements = [&](int k) { return SLOTS <= 4 ? known[k] : count(next + k * by); };
        await_states(op, read, m, next, by, own);
        float first = s.first;
        size_t all = s.count;
        for (int k = 0; k < SLOTS; k++) {
            first = op.merge_first(first, read[k].first);
            all += elements(k);
        }
        if constexpr (OP::TWO) { /* about one pivot */
            const float pivot = op.pivot(first, all);
            s.second = op.rebase(s.first, s.second, s.count, s.pivot, pivot);
            for (int k = 0; k < SLOTS; k++) {
                const float from = op.pivot(read[k].first, elements(k));
                s.second = op.merge_second(
                    s.second, op.rebase(read[k].first, read[k].second, elements(k), from, pivot));
            }
            s.pivot = pivot;
        }
        s.first = first;
        s.count = all;
    }
}

/* ---- slots and tickets, of segments ---- */

enum { SLOTS_AT_ONCE = 16 }; /* that a lane asks for before it waits for one */

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

template <class OP>
static __device__ partial_state<OP> joined(OP op, partial_state<OP> a, partial_state<OP> b)
{
    const float first = op.merge_first(a.first, b.first);
    return {first, op.merge_second(op.rebase(a.first, a.second, 0, 0.0f, first),
                                   op.rebase(b.first, b.second, 0, 0.0f, first))};
}

/* Called by one warp of each of the blocks `first` to `last`, which share an answer, with what its
   block knows. The last to come writes out[i]; the element `start` is to have the number 0 there.
   A block has two slots: one for what it is the last to share, one for what others share behind. */
template <class OP>
static __device__ void put_blocks_together(OP op, partial_state<OP> mine,
                                           struct shared_answers shared, size_t first, size_t last,
                                           size_t start, void *out, size_t i)
{
    partial_state<OP> *slots = (partial_state<OP> *)shared.slots;
    const partial_state<OP> none = {OP::NONE, OP::NO_SECOND};
    const unsigned lane = threadIdx.x % 32, count = (unsigned)(last - first + 1);
    bool comes_last = false;
    if (lane == 0) {
        slots[2 * blockIdx.x + (blockIdx.x == last)] = mine;
        comes_last = draw_ticket(count, &shared.tickets[last]) == count - 1;
    }
    if (!__shfl_sync(ALL_LANES, (int)comes_last, 0))
        return;
    __syncwarp();
    partial_state<OP> s = none, part[SLOTS_AT_ONCE];
    for (size_t next = first + lane; next <= last; next += 32 * SLOTS_AT_ONCE) {
        for (unsigned k = 0; k < SLOTS_AT_ONCE; k++) {
            const size_t block = next + 32 * k;
            part[k] = block <= last ? slots[2 * block + (block == last)] : none;
        }
        for (unsigned k = 0; k < SLOTS_AT_ONCE; k++)
            s = joined(op, s, part[k]);
    }
    float largest = s.first;
    merge_lanes<1>(&largest, 32, OP::merge_first);
    if constexpr (OP::TWO) {
        s.second = op.rebase(s.first, s.second, 0, 0.0f, largest);
        merge_lanes<1>(&s.second, 32, OP::merge_second);
    }
    if (lane == 0)
        op.answer(largest, op.since(s.second, start), 0, out, i);
}

#endif
