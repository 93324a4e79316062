/*
 * reduce_long.h: for reduce_segments.cu, where segments are long on average. Each has a block, and
 * nothing is to be searched. But one that is much longer would keep its block busy when all others
 * have ended. So the first blocks of the grid share out all of those evenly. Which they are, each
 * of these blocks finds out by itself, from the offsets. Others have begun meanwhile.
 */
#ifndef REDUCE_LONG_H
#define REDUCE_LONG_H

#include "reduce_even.h" /* block_a_segment() */
#include "reduce_meet.h"

enum {
    LENGTHS_AT_ONCE = 8,          /* that a lane asks for */
    GROUP = 32 * LENGTHS_AT_ONCE, /* segments */
    GROUPS = MOST_LONG_SEGMENTS / GROUP,
};

/* Segments, and which of them blocks share: those of more than `most` elements. */
struct long_segments {
    const int64_t *offsets;
    size_t count, most;
};

/* Elements of segment i that blocks share: all, or none. */
static inline __device__ size_t shared_of(const struct long_segments &s, size_t i)
{
    const size_t n = i < s.count ? (size_t)(s.offsets[i + 1] - s.offsets[i]) : 0;
    return n > s.most ? n : 0;
}

static inline __device__ size_t from_one_lane(size_t value, int lane)
{
    return (size_t)__shfl_sync(ALL_LANES, (unsigned long long)value, lane);
}

/* Of all lanes. */
static inline __device__ size_t sum_of_lanes(size_t mine)
{
    for (unsigned mask = 16; mask > 0; mask /= 2)
        mine += from_lane(mine, mask);
    return mine;
}

/* Of this lane and those before it. */
static inline __device__ size_t sum_up_to_lane(size_t sum)
{
    for (unsigned away = 1; away < 32; away *= 2) {
        const size_t other = (size_t)__shfl_up_sync(ALL_LANES, (unsigned long long)sum, away);
        sum += threadIdx.x % 32 >= away ? other : 0;
    }
    return sum;
}

/* How many elements blocks share, of all; and of each GROUP segments, in of_group. A barrier. */
static inline __device__ size_t count_shared(const struct long_segments &s, size_t *of_group)
{
    const unsigned lane = threadIdx.x % 32, groups = (unsigned)((s.count + GROUP - 1) / GROUP);
    size_t all = 0;
    for (unsigned group = threadIdx.x / 32; group < groups; group += SEGMENT_THREADS / 32) {
        size_t mine = 0, shared[LENGTHS_AT_ONCE];
#pragma unroll
        for (unsigned k = 0; k < LENGTHS_AT_ONCE; k++)
            shared[k] = shared_of(s, group * GROUP + k * 32 + lane);
#pragma unroll
        for (unsigned k = 0; k < LENGTHS_AT_ONCE; k++)
            mine += shared[k];
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
static inline __device__ void take_part(OP op, const T *data, const struct shared_part &mine,
                                        size_t i, size_t start, size_t n, size_t at, void *out,
                                        struct shared_answers shared)
{
    const size_t skipped = mine.from > at ? mine.from - at : 0;
    const size_t count = (mine.to - at < n ? mine.to - at : n) - skipped;
    struct running<OP> s = nothing_yet(op);
    const struct row_share<T> share =
        take_share<false>(op, s, data + start + skipped, count, threadIdx.x, SEGMENT_THREADS);
    block_state(op, s, count, share);
    if (count < n && threadIdx.x < 32)
        put_blocks_together(op, {s.first, op.since(s.second, 0 - (start + skipped))}, shared,
                            at / mine.part, (at + n - 1) / mine.part, start, out, i);
    if (count == n && threadIdx.x == 0)
        op.answer(s.first, s.second, n, out, i);
    __syncthreads(); /* all have read what is in shared memory */
}

/* By each of the first `sharers` blocks. */
template <class OP, typename T>
static inline __device__ void share_segments(OP op, const T *data, const struct long_segments &s,
                                             unsigned sharers, void *out,
                                             struct shared_answers shared)
{
    __shared__ size_t of_group[GROUPS];
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
            const size_t n = shared_of(s, first + threadIdx.x % 32), end = at + sum_up_to_lane(n);
            unsigned lanes = __ballot_sync(ALL_LANES, n > 0 && end > from && end - n < mine.to);
            for (; lanes != 0; lanes &= lanes - 1) {
                const int lane = __ffs((int)lanes) - 1;
                const size_t its_n = from_one_lane(n, lane);
                take_part(op, data, mine, first + lane, (size_t)s.offsets[first + lane], its_n,
                          from_one_lane(end, lane) - its_n, out, shared);
            }
            at = from_one_lane(end, 31);
        }
    }
}

#endif
