/*
 * reduce_state.h: the states of threads, for every operator of reduce_operators.h: how a thread
 * takes in elements, and how lanes, warps and blocks put theirs together.
 */
#ifndef REDUCE_STATE_H
#define REDUCE_STATE_H

#include "kernels.h"     /* AHEAD, trigger_next_launch() */
#include "parts/types.h" /* wide(), parts_of() */
#include "reduce_operators.h"
#include "reduce_plan.h"

#define ALL_LANES    0xffffffffu
#define BLOCKS_AHEAD 640 /* of a grid that asks ahead, at most: a larger one fills the GPU */

/* What a thread knows of `count` elements. */
template <class OP> struct running {
    float first, pivot;
    typename OP::second second;
    size_t count;
};

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

template <class OP> static inline __device__ struct running<OP> nothing_yet(OP op) {
    return {op.none(), op.pivot(op.none(), 0), op.no_second(), 0};
}

/* The first parts of elements E to E + N - 1 of x, added in pairs. (Not a loop: nvcc does not
   unroll a tree of 32.) */
template <int E, int N, class OP, class PLACES>
static inline __device__ float first_of(OP op, const float *x, PLACES places)
{
    if constexpr (N == 1)
        return places.has(E) ? x[E] : op.none();
    else
        return op.merge_first(first_of<E, N / 2>(op, x, places),
                              first_of<E + N / 2, N / 2>(op, x, places));
}

/* The same of the second parts. */
template <int E, int N, class OP, class PLACES>
static inline __device__ typename OP::second second_of(OP op, const float *x, PLACES places,
                                                       float pivot)
{
    if constexpr (N == 1)
        return places.has(E) ? op.second_of(x[E], places.number(E), pivot) : op.no_second();
    else
        return op.merge_second(second_of<E, N / 2>(op, x, places, pivot),
                               second_of<E + N / 2, N / 2>(op, x, places, pivot));
}

/* Takes in N elements, keys all of them; `count` are there. LATER: their numbers are larger than
   those of all before. */
template <int N, bool LATER, class OP, class PLACES>
static inline __device__ void take(OP op, struct running<OP> &s, const float *x, unsigned count,
                                   PLACES places)
{
    float more = first_of<0, N>(op, x, places);
    if constexpr (OP::HAS_ORIGIN) { /* about the origin, until settle() */
        s.first = op.merge_first(s.first, more);
        s.second = op.merge_second(s.second, second_of<0, N>(op, x, places, 0.0f));
    } else if constexpr (OP::TWO) {
        if (!LATER || op.matters(s.first, more)) {
            float first = op.merge_first(s.first, more);
            float pivot = op.pivot(first, s.count + count);
            s.second = op.merge_second(op.rebase(s.first, s.second, s.count, s.pivot, pivot),
                                       second_of<0, N>(op, x, places, pivot));
            s.first = first;
            s.pivot = pivot;
        }
    } else {
        s.first = op.merge_first(s.first, more);
    }
    s.count += count;
}

/* Of the groups of x from element E on: the largest, and where it begins, if it is larger than what
   was before. 0 is no more than -0. */
template <int E, int N, class OP, int GROUP>
static inline __device__ void later_groups(OP op, float &largest, size_t &where, const float *x,
                                           struct places<GROUP> places)
{
    if constexpr (E < N) {
        const float next = op.merge_first(largest, first_of<E, GROUP>(op, x, places));
        where = is_other(next, largest) && next != largest ? places.number(E) : where;
        largest = next;
        later_groups<E + GROUP, N>(op, largest, where, x, places);
    }
}

/* Takes in a batch of N elements whose numbers are larger than those of all before. Of an operator
   that looks again it remembers only where the group of neighbours begins that has the first of the
   largest. */
template <int N, class OP, int GROUP>
static inline __device__ void take_batch(OP op, struct running<OP> &s, const float *x,
                                         unsigned count, struct places<GROUP> places)
{
    if constexpr (OP::LOOKS_AGAIN) {
        float more = first_of<0, GROUP>(op, x, places);
        size_t where = places.start;
        later_groups<GROUP, N>(op, more, where, x, places);
        bool wins = count > 0 && (is_larger(more, s.first) || s.second == op.no_second());
        s.first = wins ? more : s.first;
        s.second = wins ? (typename OP::second)where : s.second;
        s.count += count;
    } else {
        take<N, true>(op, s, x, count, places);
    }
}

/* As much shared memory as the launch asks for. (Not an array of each kernel's own: the simulator
   keeps those of all kernels of a program at the same time.) */
static inline __device__ void *shared_bytes(void)
{
    extern __shared__ uint4 dynamic[];
    return dynamic;
}

/* Makes keys of the next N elements of a thread. The mean of its first four becomes its origin:
   that of the row would have to be waited for. */
template <int N, class OP, class PLACES>
static inline __device__ void to_keys(OP &op, float *x, bool are_first, PLACES places)
{
    if constexpr (OP::HAS_ORIGIN)
        if (are_first) {
            float origin = x[0];
            if constexpr (N >= 4)
                if (places.has(3)) /* a sum that cannot overflow */
                    origin = (0.25f * x[0] + 0.25f * x[1]) + (0.25f * x[2] + 0.25f * x[3]);
            op = about(op, origin);
        }
#pragma unroll
    for (int e = 0; e < N; e++)
        x[e] = op.key(x[e]);
}

/* Brings a state from the origin of `own` to that of `to`. */
template <class OP> static inline __device__ void move_to(OP own, OP to, struct running<OP> &s)
{
    if constexpr (OP::HAS_ORIGIN) {
        if (s.count > 0)
            s.first += (float)s.count * (own.origin - to.origin);
        s.pivot = to.pivot(s.first, s.count);
    }
}

/* The same for a thread that has all its elements: their squares were about its origin, and are
   about their mean then. */
template <class OP> static inline __device__ void settle(OP own, OP to, struct running<OP> &s)
{
    if constexpr (OP::HAS_ORIGIN) {
        const float squares = s.second - s.first * own.pivot(s.first, s.count);
        s.second = squares < 0.0f ? 0.0f : squares; /* a NaN stays one */
        move_to(own, to, s);
    }
}

/* What a thread says of its origin to those that it meets. */
template <class OP> static inline __device__ float own_origin(OP own, const struct running<OP> &s)
{
    if constexpr (OP::HAS_ORIGIN)
        return s.count > 0 ? own.origin : INFINITY; /* which with_origin() does not take */
    return 0.0f;
}

/* ---- lanes and warps ---- */

/* A value of lane i ^ mask, in 32 or 64 bits. */
template <typename V> static inline __device__ V from_lane(V value, unsigned mask)
{
    return __shfl_xor_sync(0xffffffff, value, (int)mask);
}
static inline __device__ size_t from_lane(size_t value, unsigned mask)
{
    return (size_t)__shfl_xor_sync(0xffffffff, (unsigned long long)value, (int)mask);
}

/* Puts together, for ROWS rows at once, what `lanes` neighbouring lanes hold, a power of two. Each
   lane gets all of it, and the same bits: a + b is b + a. */
template <int ROWS, class OP>
static inline __device__ void all_firsts(OP op, float *first, unsigned lanes)
{
    for (unsigned mask = lanes / 2; mask > 0; mask /= 2)
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            first[r] = op.merge_first(first[r], from_lane(first[r], mask));
}
template <int ROWS, class OP>
static inline __device__ void all_seconds(OP op, typename OP::second *second, unsigned lanes)
{
    for (unsigned mask = lanes / 2; mask > 0; mask /= 2)
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            second[r] = op.merge_second(second[r], from_lane(second[r], mask));
}

/* Where a thread took its elements from: in[0] to in[n - 1]. */
template <typename T> struct row_share {
    const T *in;
    size_t n;

    /* The first of those in 16 bytes, from number `first` on, that equals the pivot: one does.
       (What is not there lies behind all that is.) */
    template <class OP> __device__ size_t find(OP op, float pivot, size_t first) const
    {
        const int members = sixteen_bytes<T>::MEMBERS;
        float x[members];
#pragma unroll
        for (int e = 0; e < members; e++)
            x[e] = op.key(wide(in[first + e < n ? first + e : first]));
        return first + OP::template place_of<members>(x, pivot);
    }
};

/* A thread's second part about the pivot of the row. */
template <class OP, typename T>
static inline __device__ typename OP::second at_pivot(OP op, const struct running<OP> &s,
                                                      float pivot, const struct row_share<T> &share)
{
    typename OP::second mine = op.rebase(s.first, s.second, s.count, s.pivot, pivot);
    if constexpr (OP::LOOKS_AGAIN)
        if (mine != op.no_second())
            mine = (typename OP::second)share.find(op, pivot, mine);
    return mine;
}

/* Brings the states of the threads of a warp to one origin: that of lane 0 or 1. */
template <class OP> static inline __device__ OP meet_in_warp(OP own, struct running<OP> &s)
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
template <class OP>
static inline __device__ OP meet_in_block(OP own, struct running<OP> &s, unsigned rank)
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

/* The states of a warp, of `count` elements in all. */
template <class OP, class SHARE>
static inline __device__ void warp_state(OP op, struct running<OP> &s, size_t count,
                                         const SHARE &share)
{
    float first = s.first;
    all_firsts<1>(op, &first, 32);
    if constexpr (OP::TWO) {
        float pivot = op.pivot(first, count);
        s.second = at_pivot(op, s, pivot, share);
        s.pivot = pivot;
        all_seconds<1>(op, &s.second, 32);
    }
    s.first = first;
    s.count = count;
}

/* The same of a block: each warp leaves its part in shared memory, and all warps read all parts. A
   second call may follow without a barrier if the operator has two parts; if not, after one. */
template <class OP, class SHARE>
static inline __device__ void block_state(OP op, struct running<OP> &s, size_t count,
                                          const SHARE &share)
{
    __shared__ float firsts[32];
    __shared__ typename OP::second seconds[32];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    float first = s.first;

    all_firsts<1>(op, &first, 32);
    if (lane == 0)
        firsts[warp] = first;
    __syncthreads();
    first = lane < warps ? firsts[lane] : op.none();
    all_firsts<1>(op, &first, 32);
    if constexpr (OP::TWO) {
        float pivot = op.pivot(first, count);
        typename OP::second second = at_pivot(op, s, pivot, share);
        all_seconds<1>(op, &second, 32);
        if (lane == 0)
            seconds[warp] = second;
        __syncthreads();
        second = lane < warps ? seconds[lane] : op.no_second();
        all_seconds<1>(op, &second, 32);
        s.second = second;
        s.pivot = pivot;
    }
    s.first = first;
    s.count = count;
}

/* ---- a row, or a part of one ---- */

/* The elements of ROW_LOADS loads. */
template <typename T> static inline __device__ void elements_of_loads(float *x, const uint4 *v)
{
    const int members = sixteen_bytes<T>::MEMBERS;
#pragma unroll
    for (int e = 0; e < ROW_LOADS * members; e++)
        x[e] = wide(((const T *)&v[e / members])[e % members]);
}

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

/* Whether the elements of a LONG row are read once. An operator that looks again finds them in L1,
   if few blocks are to come, or a thread has one tile and little more, or if it takes its time:
   elements of 2 bytes are twice as many. */
template <bool LONG, class OP, typename T> static inline __device__ bool is_read_once(bool one_tile)
{
    return LONG && (!OP::LOOKS_AGAIN || (sizeof(T) > 2 && !one_tile && gridDim.x > BLOCKS_AHEAD));
}

/* The operator for a row. */
template <class OP, typename T> static inline __device__ OP for_row(OP op, const T *in, size_t n)
{
    if constexpr (OP::HAS_ORIGIN)
        if (n > 0)
            return with_origin(op, wide(in[0]), wide(in[n > 1]));
    return op;
}

/* Takes in this thread's share of n elements, read by `size` threads together, of which it is
   number `rank`. As thread_sum() of step 12; the head and the tail, which no vector holds, are one
   element for each of the first threads: 14 at most. Sets this thread's origin. */
template <bool LONG, class OP, typename T>
static inline __device__ struct row_share<T> take_share(OP &op, struct running<OP> &s, const T *in,
                                                        size_t n, unsigned rank, unsigned size) {
    const int members = sixteen_bytes<T>::MEMBERS, all = ROW_LOADS * members;
    const struct parts p = parts_of(in, n);
    const uint4 *body = (const uint4 *)(in + p.head);
    const size_t tile = (size_t)ROW_LOADS * size, step = (size_t)size * members;
    const bool once = is_read_once<LONG, OP, T>(p.vectors < 2 * tile);
    const bool is_stray = rank < p.head + p.tail;
    const size_t stray = rank < p.head ? rank : n - p.head - p.tail + rank;
    T rest = T();
    if (is_stray)
        rest = in[stray]; /* its key is for later: to find it here would be to wait for it */
    const struct places<1> alone = {
        stray, 0, 1
    };
    struct places<members> places = {
        0, step, ROW_LOADS
    };
    /* Whole tiles, of which every thread has all: nothing in the loop asks what is there. */
    size_t mine = rank;
    uint4 v[ROW_LOADS];
    float x[all];
    for (; mine - rank + tile <= p.vectors; mine += tile) {
        if (once)
#pragma unroll
            for (int k = 0; k < ROW_LOADS; k++)
                v[k] = load_once(body + mine + (size_t)k * size);
        else
#pragma unroll
            for (int k = 0; k < ROW_LOADS; k++)
                v[k] = body[mine + (size_t)k * size];
        places.start = p.head + mine * members;
        elements_of_loads<T>(x, v);
        to_keys<all>(op, x, mine == rank, places);
        take_batch<all>(op, s, x, all, places);
    }
    if (mine < p.vectors) {
        places.start = p.head + mine * members;
        const size_t left = p.vectors - mine; /* a division takes longer */
        places.groups = 1;
#pragma unroll
        for (int k = 1; k < ROW_LOADS; k++)
            places.groups += left > (size_t)k * size;
#pragma unroll
        for (int k = 0; k < ROW_LOADS; k++)
            v[k] = places.has(k * members) ? body[mine + (size_t)k * size] : uint4();
        elements_of_loads<T>(x, v);
        to_keys<all>(op, x, mine == rank, places);
        take_batch<all>(op, s, x, places.groups * members, places);
    }
    float key = wide(rest);
    to_keys<1>(op, &key, s.count == 0, alone);
    if (is_stray)
        take<1, false>(op, s, &key, 1, alone);
    return {in, n};
}

/* The elements of a lane that has LOADS times 16 bytes of a row, or fewer: side by side in each
   load, or apart, as places says. What is not there is 0. */
template <bool VECTORS_ONLY, int LOADS, typename T, class PLACES>
static inline __device__ void load_places(uint4 *raw, const T *row, PLACES places)
{
    const int members = sixteen_bytes<T>::MEMBERS;
#pragma unroll
    for (int k = 0; k < LOADS; k++) {
        raw[k] = uint4();
        if (VECTORS_ONLY && places.has(k * members))
            raw[k] = *(const uint4 *)(row + places.number(k * members));
#pragma unroll
        for (int e = 0; !VECTORS_ONLY && e < members; e++)
            if (places.has(k * members + e))
                ((T *)&raw[k])[e] = row[places.number(k * members + e)];
    }
}

/* ---- elements and answers side by side, in one thread ---- */

/* So many bytes that lie side by side, 16 at most in one load or store. */
template <int BYTES> struct bytes_at_once {
    typedef uint4 unit;
};
template <> struct bytes_at_once<8> {
    typedef uint2 unit;
};
template <> struct bytes_at_once<4> {
    typedef unsigned unit;
};

/* Writes the answers i to i + N - 1, or those of them below `end`: if out allows it and all are
   there, up to 16 bytes at once. One by one, lanes would write a part of each sector in turn. */
template <int N, class OP>
static inline __device__ void put_answers(const OP *op, const float *first,
                                          const typename OP::second *second, size_t count,
                                          void *out, size_t i, size_t end)
{
    const int BYTES = N * OP::ANSWER, UNIT = BYTES < 16 ? BYTES : 16, WORDS = OP::ANSWER / 4;
    typedef typename bytes_at_once<UNIT>::unit unit;
    uint4 all[(BYTES + 15) / 16];
#pragma unroll
    for (int k = 0; k < N; k++)
        op[k].answer(first[k], second[k], count, all, k);
    if (i + N <= end && (uintptr_t)out % UNIT == 0) {
        unit *at = (unit *)((char *)out + i * OP::ANSWER);
#pragma unroll
        for (int u = 0; u < BYTES / UNIT; u++)
            at[u] = ((const unit *)all)[u];
        return;
    }
#pragma unroll
    for (int w = 0; w < N * WORDS; w++)
        if (i + w / WORDS < end)
            ((unsigned *)out)[i * WORDS + w] = ((const unsigned *)all)[w];
}

/* ---- between launches ---- */

/* Asks for `count` elements of which a block will read the first, as in wait_for_input(): before
   the kernel in front has ended they may not be read. (Of a large grid few blocks wait for it. The
   others would only ask twice.) */
template <typename T> static inline __device__ void ask_ahead(const T *ahead, size_t count)
{
#if defined(HOPPER_CODE) && !defined(SIMT_SIMULATOR)
    if (threadIdx.x == 0 && gridDim.x <= BLOCKS_AHEAD) {
        struct parts p = parts_of(ahead, count);
        size_t bytes = p.vectors * 16;
        if (bytes > 0)
            asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(ahead + p.head),
                         "r"((unsigned)(bytes < AHEAD ? bytes : AHEAD))
                         : "memory");
    }
#else
    (void)ahead, (void)count;
#endif
}

/* Nothing may be read or written before the kernel in front of this one in the stream has ended.
   Meanwhile a block asks for its first elements. */
template <typename T>
static inline __device__ void wait_for_kernel_before(const T *ahead, size_t count)
{
    ask_ahead(ahead, count);
#ifdef HOPPER_CODE
    cudaGridDependencySynchronize();
#endif
}

#endif
