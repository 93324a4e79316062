/* reduce_state.h: the states of reduce_operators.h: how a thread takes in elements, and how lanes,
   warps and blocks put theirs together. */
#ifndef REDUCE_STATE_H
#define REDUCE_STATE_H

#include "parts/types.h" /* wide() */
#include "reduce_operators.h"

#define ALL_LANES 0xffffffffu

/* What a thread knows of `count` elements. */
template <class OP> struct running {
    float first, pivot;
    typename OP::second second;
    size_t count;
};

template <class OP> static __device__ running<OP> nothing_yet(OP op)
{
    return {OP::NONE, op.pivot(OP::NONE, 0), OP::NO_SECOND, 0};
}

/* Where the elements are that a thread takes in at once: in groups of GROUP neighbours, `step`
   apart in the row. Those of the last groups may be missing. */
template <int GROUP> struct places {
    size_t start, step;
    unsigned groups; /* that are there */

    __device__ size_t number(int e) const
    {
        return start + e / GROUP * step + e % GROUP;
    }
    __device__ bool has(int e) const
    {
        return (unsigned)(e / GROUP) < groups;
    }
};

/* ---- a thread ---- */

/* The first parts of elements E to E + N - 1 of x, added in pairs. (Not a loop: nvcc does not
   unroll a tree of 32.) */
template <int E, int N, class OP, class PLACES>
static __device__ float first_of(OP op, const float *x, PLACES places)
{
    if constexpr (N == 1)
        return places.has(E) ? x[E] : OP::NONE;
    else
        return op.merge_first(first_of<E, N / 2>(op, x, places),
                              first_of<E + N / 2, N / 2>(op, x, places));
}

/* The same of the second parts. */
template <int E, int N, class OP, class PLACES>
static __device__ auto second_of(OP op, const float *x, PLACES places, float pivot)
{
    if constexpr (N == 1)
        return places.has(E) ? op.second_of(x[E], places.number(E), pivot) : OP::NO_SECOND;
    else
        return op.merge_second(second_of<E, N / 2>(op, x, places, pivot),
                               second_of<E + N / 2, N / 2>(op, x, places, pivot));
}

/* Makes keys of the next N elements of a thread. The mean of its first four becomes its origin:
   that of the row would have to be waited for. */
template <int N, class OP, class PLACES>
static __device__ void to_keys(OP &op, float *x, bool are_first, PLACES places)
{
    if (OP::HAS_ORIGIN && are_first) {
        float origin = x[0];
        if constexpr (N >= 4)
            if (places.has(3)) /* a sum that cannot overflow */
                origin = (0.25f * x[0] + 0.25f * x[1]) + (0.25f * x[2] + 0.25f * x[3]);
        op = about(op, origin);
    }
    for (int e = 0; e < N; e++)
        x[e] = op.key(x[e]);
}

/* Takes in N keys; `count` are there. LATER: their numbers are larger than those of all before. */
template <int N, bool LATER, class OP, class PLACES>
static __device__ void take(OP op, running<OP> &s, const float *x, unsigned count, PLACES places)
{
    const float more = first_of<0, N>(op, x, places);
    if constexpr (OP::TWO && !OP::HAS_ORIGIN) {
        if (!LATER || op.matters(s.first, more)) {
            const float first = op.merge_first(s.first, more);
            const float pivot = op.pivot(first, s.count + count);
            s.second = op.merge_second(op.rebase(s.first, s.second, s.count, s.pivot, pivot),
                                       second_of<0, N>(op, x, places, pivot));
            s.first = first;
            s.pivot = pivot;
        }
    } else {
        s.first = op.merge_first(s.first, more);
        if constexpr (OP::TWO) /* about the origin, until settle() */
            s.second = op.merge_second(s.second, second_of<0, N>(op, x, places, 0.0f));
    }
    s.count += count;
}

/* The largest of N keys, and number_of() the group of neighbours in which the first of them is. 0
   is no more than -0. */
template <int N, int GROUP, class OP, typename NUMBER, class NUMBER_OF>
static __device__ float largest_group(OP op, const float *x, places<GROUP> there, NUMBER &where,
                                      NUMBER_OF number_of)
{
    float largest = first_of<0, GROUP>(op, x, there);
    where = number_of(0);
    for (int e = GROUP; e < N; e += GROUP) {
        const float next = op.merge_first(
            largest, first_of<0, GROUP>(op, x + e, places<GROUP>{0, 0, there.has(e)}));
        where = is_other(next, largest) && next != largest ? number_of(e) : where;
        largest = next;
    }
    return largest;
}

/* Takes in N keys, later ones. Of an operator that looks again it remembers only where the group of
   neighbours begins that has the first of the largest. */
template <int N, class OP, int GROUP>
static __device__ void take_batch(OP op, running<OP> &s, const float *x, unsigned count,
                                  places<GROUP> there)
{
    if constexpr (OP::LOOKS_AGAIN) {
        size_t where;
        const float more =
            largest_group<N>(op, x, there, where, [=](int e) { return there.number(e); });
        const bool wins = count > 0 && (is_larger(more, s.first) || s.second == OP::NO_SECOND);
        s.first = wins ? more : s.first;
        s.second = wins ? (typename OP::second)where : s.second;
        s.count += count;
    } else {
        take<N, true>(op, s, x, count, there);
    }
}

/* Brings a state from the origin of `own` to that of `to`. */
template <class OP> static __device__ void move_to(OP own, OP to, running<OP> &s)
{
    if constexpr (OP::HAS_ORIGIN) {
        if (s.count > 0)
            s.first += (float)s.count * (own.origin - to.origin);
        s.pivot = to.pivot(s.first, s.count);
    }
}

/* The same for a thread that has all its elements: their squares were about its origin, and are
   about their mean then. */
template <class OP> static __device__ void settle(OP own, OP to, running<OP> &s)
{
    if constexpr (OP::HAS_ORIGIN) {
        const float squares = s.second - s.first * own.pivot(s.first, s.count);
        s.second = squares < 0.0f ? 0.0f : squares; /* a NaN stays one */
        move_to(own, to, s);
    }
}

/* What a thread says of its origin to those that it meets: with_origin() takes no infinity. */
template <class OP> static __device__ float own_origin(OP own, const running<OP> &s)
{
    return s.count > 0 ? own.origin : INFINITY;
}

/* ---- lanes, warps and blocks ---- */

/* A value of lane i ^ mask, in 32 or 64 bits. */
template <typename V> static __device__ V from_lane(V value, unsigned mask)
{
    if constexpr (sizeof(V) == 8)
        return (V)__shfl_xor_sync(ALL_LANES, (unsigned long long)value, (int)mask);
    else
        return __shfl_xor_sync(ALL_LANES, value, (int)mask);
}

/* Merges what `lanes` neighbouring lanes hold, a power of two: N values at once. Each lane gets all
   of it, and the same bits: a + b is b + a. */
template <int N, typename V, class MERGE>
static __device__ void merge_lanes(V *value, unsigned lanes, MERGE merge)
{
    for (unsigned mask = lanes / 2; mask > 0; mask /= 2)
        for (int r = 0; r < N; r++)
            value[r] = merge(value[r], from_lane(value[r], mask));
}

/* Brings the states of the threads of a warp to one origin: that of lane 0 or 1. */
template <class OP> static __device__ OP meet_in_warp(OP own, running<OP> &s)
{
    OP all = own;
    if constexpr (OP::HAS_ORIGIN) {
        const float mine = own_origin(own, s);
        all = with_origin(own, __shfl_sync(ALL_LANES, mine, 0), __shfl_sync(ALL_LANES, mine, 1));
        settle(own, all, s);
    }
    return all;
}

/* The same of a block. rank: the thread's, if it were not turned. */
template <class OP> static __device__ OP meet_in_block(OP own, running<OP> &s, unsigned rank)
{
    OP all = own;
    if constexpr (OP::HAS_ORIGIN) {
        __shared__ float origins[2];
        if (rank < 2)
            origins[rank] = own_origin(own, s);
        __syncthreads();
        all = with_origin(own, origins[0], origins[1]);
        settle(own, all, s);
    }
    return all;
}

/* The states of a warp, of `count` elements in all. share: where the thread took its elements from,
   for at_pivot(). */
template <class OP, class SHARE>
static __device__ void warp_state(OP op, running<OP> &s, size_t count, const SHARE &share)
{
    float first = s.first;
    merge_lanes<1>(&first, 32, OP::merge_first);
    if constexpr (OP::TWO) {
        const float pivot = op.pivot(first, count);
        s.second = share.at_pivot(op, s, pivot);
        s.pivot = pivot;
        merge_lanes<1>(&s.second, 32, OP::merge_second);
    }
    s.first = first;
    s.count = count;
}

/* The same of a block: each warp leaves its part in shared memory, and all warps read all parts. A
   second call may follow without a barrier if the operator has two parts; if not, after one. */
template <class OP, class SHARE>
static __device__ void block_state(OP op, running<OP> &s, size_t count, const SHARE &share)
{
    __shared__ float firsts[32];
    __shared__ typename OP::second seconds[32];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    float first = s.first;
    merge_lanes<1>(&first, 32, OP::merge_first);
    if (lane == 0)
        firsts[warp] = first;
    __syncthreads();
    first = lane < warps ? firsts[lane] : OP::NONE;
    merge_lanes<1>(&first, 32, OP::merge_first);
    if constexpr (OP::TWO) {
        const float pivot = op.pivot(first, count);
        typename OP::second second = share.at_pivot(op, s, pivot);
        merge_lanes<1>(&second, 32, OP::merge_second);
        if (lane == 0)
            seconds[warp] = second;
        __syncthreads();
        second = lane < warps ? seconds[lane] : OP::NO_SECOND;
        merge_lanes<1>(&second, 32, OP::merge_second);
        s.second = second;
        s.pivot = pivot;
    }
    s.first = first;
    s.count = count;
}

/* For states that hold no place to look at again. */
struct all_taken {
    template <class OP> static __device__ auto at_pivot(OP op, const running<OP> &s, float pivot)
    {
        return op.rebase(s.first, s.second, s.count, s.pivot, pivot);
    }
};

#endif
