/*
 * reduce_whole.h: for reduce_segments.cu, segments that have a warp or a block each, so nothing is
 * to be searched. Even ones: much of the same length, or with few elements altogether. Long ones:
 * so long on average that each has a block. But one that is much longer would keep its block busy
 * when all others have ended. So the first blocks of the grid share out all of those evenly.
 */
#ifndef REDUCE_WHOLE_H
#define REDUCE_WHOLE_H

#include "reduce_common.h"
#include "reduce_meet.h"

enum {
    WARPS = SEGMENT_THREADS / 32,
    LENGTHS_AT_ONCE = 8,          /* that a lane asks for */
    GROUP = 32 * LENGTHS_AT_ONCE, /* segments */
    GROUPS = MOST_LONG_SEGMENTS / GROUP,
};

/* The state of n elements, by the block. */
template <class OP, typename T>
static __device__ running<OP> state_by_block(OP op, const T *in, size_t n)
{
    running<OP> s = nothing_yet(op);
    const row_share<T> share = take_share<false>(op, s, in, n, threadIdx.x, SEGMENT_THREADS);
    trigger_next_launch();
    block_state(op, s, n, share);
    return s;
}

/* One segment, by the block. */
template <class OP, typename T>
static __device__ void block_a_segment(OP op, const T *in, size_t n, void *out, size_t i)
{
    const running<OP> s = state_by_block(op, in, n);
    if (threadIdx.x == 0)
        op.answer(s.first, s.second, n, out, i);
}

/* ---- even segments ---- */

/* Whether no part of the segments has more than EVEN_BYTES of elements. Every block asks for the
   same offsets, so all decide alike. A barrier. */
template <typename T> static __device__ bool is_even(const int64_t *offsets, size_t segments)
{
    const size_t part = (segments + EVEN_PARTS - 1) / EVEN_PARTS;
    bool is_large = false;
    for (unsigned k = 0; k < EVEN_PARTS / SEGMENT_THREADS; k++) { /* all are asked for at once */
        const size_t first = (k * SEGMENT_THREADS + threadIdx.x) * part;
        const bool is_there = first < segments;
        const int64_t from = is_there ? offsets[first] : 0;
        const int64_t to =
            is_there ? offsets[segments - first < part ? segments : first + part] : 0;
        is_large |= (size_t)(to - from) > EVEN_BYTES / sizeof(T);
    }
    return !__syncthreads_or(is_large);
}

/* The segments of a block: one for each warp, but for those that are long. Returns false, and does
   nothing, if the segments are not even. */
template <class OP, typename T>
static __device__ bool even_segments(OP op, const T *data, const int64_t *offsets, size_t segments,
                                     void *out)
{
    const size_t first = (size_t)blockIdx.x * WARPS, mine = first + threadIdx.x / 32;
    const bool is_there = mine < segments;
    /* In flight with what is_even() asks for. */
    const size_t start = is_there ? (size_t)offsets[mine] : 0;
    const size_t n = is_there ? (size_t)offsets[mine + 1] - start : 0;
    if (!is_even<T>(offsets, segments))
        return false;
    const bool is_long = n * sizeof(T) > MOST_OF_A_WARP;
    if (is_there && !is_long)
        answer_by_warp(op, data + start, n, out, mine);
    if (!__syncthreads_or(is_long))
        return true;
    for (size_t i = first; i < first + WARPS && i < segments; i++) {
        const size_t its_start = (size_t)offsets[i], its_n = (size_t)offsets[i + 1] - its_start;
        if (its_n * sizeof(T) > MOST_OF_A_WARP) {
            block_a_segment(op, data + its_start, its_n, out, i);
            __syncthreads(); /* all have read what it left in shared memory */
        }
    }
    return true;
}

/* ---- long segments ---- */

/* Segments, and which of them blocks share: those of more than `most` elements. */
struct long_segments {
    const int64_t *offsets;
    size_t count, most;

    /* Elements of segment i that blocks share: all, or none. */
    __device__ size_t shared_of(size_t i) const
    {
        const size_t n = i < count ? (size_t)(offsets[i + 1] - offsets[i]) : 0;
        return n > most ? n : 0;
    }
};

static inline __device__ size_t sum_of_lanes(size_t mine)
{
    merge_lanes<1>(&mine, 32, [](size_t a, size_t b) { return a + b; });
    return mine;
}

/* How many elements blocks share, of all; and of each GROUP segments, in of_group. A barrier. */
static inline __device__ size_t count_shared(const struct long_segments &s, size_t *of_group)
{
    const unsigned lane = threadIdx.x % 32, groups = (unsigned)((s.count + GROUP - 1) / GROUP);
    size_t all = 0;
    for (unsigned group = threadIdx.x / 32; group < groups; group += WARPS) {
        size_t mine = 0;
        for (unsigned k = 0; k < LENGTHS_AT_ONCE; k++)
            mine += s.shared_of(group * GROUP + k * 32 + lane);
        if (__any_sync(ALL_LANES, mine > 0))
            mine = sum_of_lanes(mine);
        if (lane == 0)
            of_group[group] = mine;
    }
    __syncthreads();
    for (unsigned group = lane; group < groups; group += 32)
        all += of_group[group];
    return sum_of_lanes(all);
}

/* What one of the blocks takes of all shared elements, which are numbered: `from` to `to`. Each
   takes `part`. */
struct shared_part {
    size_t from, to, part;
};

/* Takes in what is this block's of segment i, of n elements; number `at` is its first. */
template <class OP, typename T>
static __device__ void take_part(OP op, const T *data, const struct shared_part &mine, size_t i,
                                 size_t start, size_t n, size_t at, void *out,
                                 struct shared_answers shared)
{
    const size_t skipped = mine.from > at ? mine.from - at : 0;
    const size_t count = (mine.to - at < n ? mine.to - at : n) - skipped;
    const running<OP> s = state_by_block(op, data + start + skipped, count);
    if (count < n && threadIdx.x < 32)
        put_blocks_together(op, {s.first, op.since(s.second, 0 - (start + skipped))}, shared,
                            at / mine.part, (at + n - 1) / mine.part, start, out, i);
    if (count == n && threadIdx.x == 0)
        op.answer(s.first, s.second, n, out, i);
    __syncthreads(); /* all have read what is in shared memory */
}

/* By each of the first `sharers` blocks, which find out by themselves what is to be shared. */
template <class OP, typename T>
static __device__ void share_segments(OP op, const T *data, const struct long_segments &s,
                                      unsigned sharers, void *out, struct shared_answers shared)
{
    __shared__ size_t of_group[GROUPS];
    const unsigned lane = threadIdx.x % 32;
    const size_t all = count_shared(s, of_group), even = (all + sharers - 1) / sharers;
    const size_t least = LEAST_SHARE / sizeof(T), part = even > least ? even : least;
    const size_t from = blockIdx.x * part;
    const struct shared_part mine = {from, from + part < all ? from + part : all, part};
    trigger_next_launch();
    /* Which segments are this block's? All warps find the same. */
    size_t at = 0;
    for (unsigned group = 0; from < all && at < mine.to; group++) {
        if (at + of_group[group] <= from) {
            at += of_group[group];
            continue;
        }
        for (unsigned k = 0; k < LENGTHS_AT_ONCE; k++) {
            const size_t first = group * GROUP + k * 32;
            const size_t n = s.shared_of(first + lane);
            size_t end = n; /* of this lane and those before it */
            for (unsigned away = 1; away < 32; away *= 2) {
                const size_t other = __shfl_up_sync(ALL_LANES, (unsigned long long)end, away);
                end += lane >= away ? other : 0;
            }
            end += at;
            unsigned lanes = __ballot_sync(ALL_LANES, n > 0 && end > from && end - n < mine.to);
            for (; lanes != 0; lanes &= lanes - 1) {
                const int its = __ffs((int)lanes) - 1;
                const size_t its_n = __shfl_sync(ALL_LANES, (unsigned long long)n, its);
                const size_t its_end = __shfl_sync(ALL_LANES, (unsigned long long)end, its);
                take_part(op, data, mine, first + its, (size_t)s.offsets[first + its], its_n,
                          its_end - its_n, out, shared);
            }
            at = __shfl_sync(ALL_LANES, (unsigned long long)end, 31);
        }
    }
}

#endif
