/* reduce_share.h: how threads read what they have of a row, several loads of 16 bytes at once, and
   write answers that lie side by side. */
#ifndef REDUCE_SHARE_H
#define REDUCE_SHARE_H

#include "reduce_plan.h"
#include "reduce_state.h"
#include <type_traits>

#define BLOCKS_AHEAD 640 /* of a grid that asks ahead, at most: a larger one fills the GPU */

/* 16 bytes that are read once, and so need not be kept in L1 (load_no_l1 of step 10). volatile: it
   stays behind cudaGridDependencySynchronize(), which is so, too. */
static inline __device__ uint4 load_once(const uint4 *p)
{
#if defined(__CUDA_ARCH__) && !defined(SIMT_SIMULATOR)
    uint4 v;
    asm volatile("ld.global.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "l"(p));
    return v;
#else
    return *p;
#endif
}

/* Element e of loads of 16 bytes, as a float. */
template <typename T> static __device__ float wide_of(const uint4 *raw, int e)
{
    const int members = sixteen_bytes<T>::MEMBERS;
    return wide(((const T *)&raw[e / members])[e % members]);
}

/* ---- a row that many threads share ---- */

/* Where a thread took its elements from: in[0] to in[n - 1]. */
template <typename T> struct row_share {
    const T *in;
    size_t n;

    /* The thread's second part about the pivot of the row. Of an operator that looks again, it is
       where the first element of the 16 bytes at `second` is that equals the pivot: one does. */
    template <class OP> __device__ auto at_pivot(OP op, const running<OP> &s, float pivot) const
    {
        auto mine = op.rebase(s.first, s.second, s.count, s.pivot, pivot);
        if constexpr (OP::LOOKS_AGAIN)
            if (mine != OP::NO_SECOND) {
                const size_t first = mine;
                const int members = sixteen_bytes<T>::MEMBERS;
                float x[members]; /* what is not there lies behind all that is */
                for (int e = 0; e < members; e++)
                    x[e] = op.key(wide(in[first + e < n ? first + e : first]));
                mine += OP::template place_of<members>(x, pivot);
            }
        return mine;
    }
};

/* Takes in this thread's share of n elements, read by `size` threads together, of which it is
   number `rank`, as thread_sum() of step 12 does. The first threads have an element each of those
   that no vector holds, 14 at most. Sets this thread's origin. Elements of a LONG row are read
   once, unless an operator looks again and may find them in L1: with few blocks to come, few tiles,
   or elements of 2 bytes, which take time. */
template <bool LONG, class OP, typename T>
static __device__ row_share<T> take_share(OP &op, running<OP> &s, const T *in, size_t n,
                                          unsigned rank, unsigned size)
{
    const int members = sixteen_bytes<T>::MEMBERS, all = ROW_LOADS * members;
    const struct parts p = parts_of(in, n);
    const uint4 *body = (const uint4 *)(in + p.head);
    const size_t tile = (size_t)ROW_LOADS * size;
    const bool once =
        LONG &&
        (!OP::LOOKS_AGAIN || (sizeof(T) > 2 && p.vectors >= 2 * tile && gridDim.x > BLOCKS_AHEAD));
    const bool is_stray = rank < p.head + p.tail;
    const size_t stray = rank < p.head ? rank : n - p.head - p.tail + rank;
    T rest = T();
    if (is_stray)
        rest = in[stray]; /* its key is for later: to find it here would be to wait for it */
    size_t mine = rank;
    uint4 v[ROW_LOADS];
    const auto take_loads = [&](unsigned loads) {
        const places<members> there = {p.head + mine * members, (size_t)size * members, loads};
        float x[all];
        for (int e = 0; e < all; e++)
            x[e] = wide_of<T>(v, e);
        to_keys<all>(op, x, mine == rank, there);
        take_batch<all>(op, s, x, loads * members, there);
    };
    /* Whole tiles, of which every thread has all: nothing in the loop asks what is there. */
    for (; mine - rank + tile <= p.vectors; mine += tile) {
        for (int k = 0; k < ROW_LOADS; k++) {
            const uint4 *at = body + mine + (size_t)k * size;
            v[k] = once ? load_once(at) : *at;
        }
        take_loads(ROW_LOADS);
    }
    if (mine < p.vectors) {
        const size_t left = p.vectors - mine; /* a division takes longer */
        unsigned loads = 1;
        for (int k = 1; k < ROW_LOADS; k++)
            loads += left > (size_t)k * size;
        for (unsigned k = 0; k < ROW_LOADS; k++)
            v[k] = k < loads ? body[mine + (size_t)k * size] : uint4();
        take_loads(loads);
    }
    float key = wide(rest);
    const places<1> alone = {stray, 0, 1};
    to_keys<1>(op, &key, s.count == 0, alone);
    if (is_stray)
        take<1, false>(op, s, &key, 1, alone);
    return {in, n};
}

/* How take_share() shares out n elements between `size` threads: each has `whole` vectors of whole
   tiles, and some have one more, or several, of the rest. 32 bits are enough for a block. */
struct row_shares {
    unsigned size, whole, rest, members, strays;

    /* Of the threads of block number i, of REDUCE_THREADS each. */
    __device__ unsigned of_block(unsigned i) const
    {
        unsigned vectors = whole * REDUCE_THREADS;
        for (unsigned k = 0; k < ROW_LOADS; k++) {
            const unsigned before = i * REDUCE_THREADS + k * size;
            const unsigned left = rest > before ? rest - before : 0;
            vectors += left < REDUCE_THREADS ? left : REDUCE_THREADS;
        }
        return vectors * members + (i == 0 ? strays : 0);
    }
};

template <typename T>
static __device__ struct row_shares shares_of(const T *in, size_t n, unsigned size)
{
    const struct parts p = parts_of(in, n);
    const unsigned tile = ROW_LOADS * size, tiles = (unsigned)(p.vectors / tile);
    return {size, tiles * ROW_LOADS, (unsigned)(p.vectors - (size_t)tiles * tile),
            sixteen_bytes<T>::MEMBERS, (unsigned)(p.head + p.tail)};
}

/* ---- elements and answers of one thread ---- */

/* The elements of a lane that has LOADS times 16 bytes of a row, or fewer: side by side in each
   load, or apart, as `there` says. What is not there is 0. */
template <bool VECTORS_ONLY, int LOADS, typename T, class PLACES>
static __device__ void load_places(uint4 *raw, const T *row, PLACES there)
{
    const int members = sixteen_bytes<T>::MEMBERS;
    for (int k = 0; k < LOADS; k++) {
        raw[k] = uint4();
        if (VECTORS_ONLY && there.has(k * members))
            raw[k] = *(const uint4 *)(row + there.number(k * members));
        for (int e = 0; !VECTORS_ONLY && e < members; e++)
            if (there.has(k * members + e))
                ((T *)&raw[k])[e] = row[there.number(k * members + e)];
    }
}

template <int BYTES>
using words_at_once =
    std::conditional_t<BYTES == 4, unsigned, std::conditional_t<BYTES == 8, uint2, uint4>>;

/* Writes the answers i to i + N - 1, or those of them below `end`: if out allows it and all are
   there, up to 16 bytes at once. One by one, lanes would write a part of each sector in turn. */
template <int N, class OP>
static __device__ void put_answers(const OP *op, const float *first,
                                   const typename OP::second *second, size_t count, void *out,
                                   size_t i, size_t end)
{
    const int BYTES = N * OP::ANSWER, UNIT = BYTES < 16 ? BYTES : 16, WORDS = OP::ANSWER / 4;
    typedef words_at_once<UNIT> unit;
    alignas(16) char all[(BYTES + 15) / 16 * 16];
    for (int k = 0; k < N; k++)
        op[k].answer(first[k], second[k], count, all, k);
    if (i + N <= end && (uintptr_t)out % UNIT == 0) {
        for (int u = 0; u < BYTES / UNIT; u++)
            ((unit *)((char *)out + i * OP::ANSWER))[u] = ((const unit *)all)[u];
        return;
    }
    for (int w = 0; w < N * WORDS; w++)
        if (i + w / WORDS < end)
            ((unsigned *)out)[i * WORDS + w] = ((const unsigned *)all)[w];
}

#endif
