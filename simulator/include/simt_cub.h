/* simt_cub.h: what a block and a warp do together by CUB's names. Temporary memory is used as CUB's
   documentation says: who uses it again needs a barrier before. One thread does the work, so the
   order of additions is not a GPU's. */
#pragma once

#include "cuda_runtime.h"

#pragma GCC system_header

namespace cub
{
struct NullType {
};
struct Sum {
    template <class A, class B> auto operator()(const A &a, const B &b) const { return a + b; }
};
struct Max {
    template <class T> T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};
struct Min {
    template <class T> T operator()(const T &a, const T &b) const { return b < a ? b : a; }
};
struct Equality {
    template <class T> bool operator()(const T &a, const T &b) const { return a == b; }
};
SIMT_ENUM(BlockReduceAlgorithm, BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING,
          BLOCK_REDUCE_WARP_REDUCTIONS)
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
SIMT_ENUM(BlockLoadAlgorithm, BLOCK_LOAD_DIRECT, BLOCK_LOAD_STRIPED, BLOCK_LOAD_VECTORIZE,
          BLOCK_LOAD_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED)
SIMT_ENUM(BlockStoreAlgorithm, BLOCK_STORE_DIRECT, BLOCK_STORE_STRIPED, BLOCK_STORE_VECTORIZE,
          BLOCK_STORE_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED)
enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };

SIMT_METHOD unsigned LaneId() { return simt_rank_in_block() % 32; }
SIMT_METHOD unsigned WarpId() { return simt_rank_in_block() / 32; }

/* Room for values in shared memory, which no constructor touches. */
template <class T, int COUNT> struct simt_values {
    alignas(T) char bytes[COUNT * sizeof(T)];
    SIMT_METHOD T get(int i) const
    {
        T value;
        memcpy((void *)&value, bytes + i * sizeof(T), sizeof value);
        return value;
    }
    SIMT_METHOD void put(int i, const T &value)
    {
        memcpy(bytes + i * sizeof(T), (const void *)&value, sizeof value);
    }
};
/* So that TempStorage may be one of several in a union. */
#define SIMT_CUB_CLASS(NAME)                                                                       \
    TempStorage &temporary;                                                                        \
    int rank;                                                                                      \
    SIMT_METHOD explicit NAME(TempStorage &t) : temporary(t), rank((int)simt_rank_in_block()) {}

template <class T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1,
          int = 0>
struct BlockReduce {
    static constexpr int simt_threads = X * Y * Z;
    typedef simt_values<T, simt_threads> TempStorage;
    SIMT_CUB_CLASS(BlockReduce)
    /* Of the first `valid` threads; thread 0 gets the result. */
    template <class F> SIMT_METHOD T Reduce(T value, F op, int valid = simt_threads)
    {
        temporary.put(rank, value);
        __syncthreads();
        if (rank == 0)
            for (int i = 1; i < valid && i < simt_threads; i++)
                value = op(value, temporary.get(i));
        return value;
    }
    template <int N, class F> SIMT_METHOD T Reduce(T (&values)[N], F op)
    {
        T value = values[0];
        for (int i = 1; i < N; i++)
            value = op(value, values[i]);
        return Reduce(value, op);
    }
    SIMT_METHOD T Sum(T value, int valid = simt_threads)
    {
        return Reduce(value, cub::Sum(), valid);
    }
    template <int N> SIMT_METHOD T Sum(T (&values)[N]) { return Reduce(values, cub::Sum()); }
};

template <class T, int W = 32, int = 0> struct WarpReduce {
    typedef simt_values<T, W> TempStorage;
    TempStorage &temporary;
    int lane;
    SIMT_METHOD explicit WarpReduce(TempStorage &t) : temporary(t), lane((int)LaneId() % W) {}
    static SIMT_METHOD unsigned simt_mask()
    {
        return W == 32 ? ~0u : ((1u << W % 32) - 1) << LaneId() / W * W;
    }
    template <class F> SIMT_METHOD T Reduce(T value, F op, int valid = W)
    {
        __syncwarp(simt_mask());
        temporary.put(lane, value);
        __syncwarp(simt_mask());
        int there = (int)(blockDim.x * blockDim.y * blockDim.z - (simt_rank_in_block() - lane));
        if (lane == 0)
            for (int i = 1; i < valid && i < W && i < there; i++)
                value = op(value, temporary.get(i));
        return value;
    }
    SIMT_METHOD T Sum(T value, int valid = W) { return Reduce(value, cub::Sum(), valid); }
};

/* Of a value, or of an array of them. */
#define SIMT_CUB_SUMS                                                                              \
    template <class V, class O, class... R>                                                        \
    SIMT_METHOD void InclusiveSum(V &&in, O &out, R &...rest)                                      \
    {                                                                                              \
        InclusiveScan(in, out, cub::Sum(), rest...);                                               \
    }                                                                                              \
    template <class V, class O, class... R>                                                        \
    SIMT_METHOD void ExclusiveSum(V &&in, O &out, R &...rest)                                      \
    {                                                                                              \
        ExclusiveScan(in, out, T(), cub::Sum(), rest...);                                          \
    }

/* Each takes what comes before its own values, in the order of the threads. */
template <class T, int THREADS> struct simt_scan {
    struct TempStorage {
        simt_values<T, THREADS> before;
        simt_values<T, 2> all; /* the sum; what a program puts before it */
    };
    /* has_first: is there a value before the first thread's? Gives what comes before this one. */
    template <class F, class BARRIER>
    static SIMT_METHOD T before(TempStorage &t, int rank, int threads, T value, F op,
                                bool has_first, T first, T &all, BARRIER barrier)
    {
        t.before.put(rank, value);
        barrier();
        if (rank == 0) {
            T sum = t.before.get(0);
            if (has_first)
                t.before.put(0, first);
            T so_far = has_first ? op(first, sum) : sum;
            for (int i = 1; i < threads; i++) {
                T next = t.before.get(i);
                t.before.put(i, so_far);
                so_far = op(so_far, next);
                sum = op(sum, next);
            }
            t.all.put(0, sum);
        }
        barrier();
        all = t.all.get(0);
        return rank == 0 && !has_first ? value : t.before.get(rank);
    }
};

template <class T, int X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int = 0>
struct BlockScan {
    static constexpr int simt_threads = X * Y * Z;
    typedef typename simt_scan<T, simt_threads>::TempStorage TempStorage;
    SIMT_CUB_CLASS(BlockScan)
    template <int N, class F>
    SIMT_METHOD void simt_all(const T *in, T *out, F op, bool inclusive, bool has_first, T first,
                              T &all)
    {
        T sum = in[0];
        for (int i = 1; i < N; i++)
            sum = op(sum, in[i]);
        T so_far = simt_scan<T, simt_threads>::before(
            temporary, rank, simt_threads, sum, op, has_first, first, all,
            []() __attribute__((always_inline)) { __syncthreads(); });
        bool any = rank > 0 || has_first;
        for (int i = 0; i < N; i++) {
            T value = in[i], next = any ? op(so_far, value) : value;
            out[i] = inclusive ? next : any ? so_far : value;
            so_far = next;
            any = true;
        }
    }
    /* The program says what comes before the block's first value, when it knows the sum. */
    template <int N, class F, class P>
    SIMT_METHOD void simt_after(const T *in, T *out, F op, bool inclusive, P &before)
    {
        T all, sum = in[0];
        for (int i = 1; i < N; i++)
            sum = op(sum, in[i]);
        T so_far = simt_scan<T, simt_threads>::before(
            temporary, rank, simt_threads, sum, op, false, sum, all,
            []() __attribute__((always_inline)) { __syncthreads(); });
        if (rank < 32) {
            T prefix = before(all);
            if (rank == 0)
                temporary.all.put(1, prefix);
        }
        __syncthreads();
        T prefix = temporary.all.get(1);
        so_far = rank == 0 ? prefix : op(prefix, so_far);
        for (int i = 0; i < N; i++) {
            T next = op(so_far, in[i]);
            out[i] = inclusive ? next : so_far;
            so_far = next;
        }
    }
    /* rest: nothing, a place for the sum, or what says what comes before. */
    template <int N, class F, class... R>
    SIMT_METHOD void simt_any(const T *in, T *out, F op, bool inclusive, T first, R &...rest)
    {
        T all;
        if constexpr (sizeof...(R) == 0)
            simt_all<N>(in, out, op, inclusive, !inclusive, first, all);
        else if constexpr (::std::is_same<void(T &), void(R & ...)>::value)
            simt_all<N>(in, out, op, inclusive, !inclusive, first, rest...);
        else
            simt_after<N>(in, out, op, inclusive, rest...);
    }
    template <class F, class... R> SIMT_METHOD void InclusiveScan(T in, T &out, F op, R &...rest)
    {
        simt_any<1>(&in, &out, op, true, in, rest...);
    }
    template <int N, class F, class... R>
    SIMT_METHOD void InclusiveScan(T (&in)[N], T (&out)[N], F op, R &...rest)
    {
        simt_any<N>(in, out, op, true, in[0], rest...);
    }
    template <class F, class... R>
    SIMT_METHOD void ExclusiveScan(T in, T &out, T first, F op, R &...rest)
    {
        simt_any<1>(&in, &out, op, false, first, rest...);
    }
    template <int N, class F, class... R>
    SIMT_METHOD void ExclusiveScan(T (&in)[N], T (&out)[N], T first, F op, R &...rest)
    {
        simt_any<N>(in, out, op, false, first, rest...);
    }
    SIMT_CUB_SUMS
};

template <class T, int W = 32, int = 0> struct WarpScan {
    typedef typename simt_scan<T, W>::TempStorage TempStorage;
    TempStorage &temporary;
    int lane;
    SIMT_METHOD explicit WarpScan(TempStorage &t) : temporary(t), lane((int)LaneId() % W) {}
    template <class F, class... R>
    SIMT_METHOD void simt_all(T in, T &out, F op, bool inclusive, bool has_first, T first, T &all,
                              R &...)
    {
        int there = (int)(blockDim.x * blockDim.y * blockDim.z - (simt_rank_in_block() - lane));
        unsigned mask = WarpReduce<T, W>::simt_mask();
        __syncwarp(mask);
        T so_far = simt_scan<T, W>::before(
            temporary, lane, there < W ? there : W, in, op, has_first, first,
            all, [mask]() __attribute__((always_inline)) { __syncwarp(mask); });
        bool any = lane > 0 || has_first;
        out = !any ? in : inclusive ? op(so_far, in) : so_far;
    }
    template <class F, class... R> SIMT_METHOD void InclusiveScan(T in, T &out, F op, R &...rest)
    {
        T all;
        simt_all(in, out, op, true, false, in, rest..., all);
    }
    template <class F, class... R>
    SIMT_METHOD void ExclusiveScan(T in, T &out, T first, F op, R &...rest)
    {
        T all;
        simt_all(in, out, op, false, true, first, rest..., all);
    }
    SIMT_CUB_SUMS
    SIMT_METHOD T Broadcast(T value, unsigned from)
    {
        unsigned mask = WarpReduce<T, W>::simt_mask();
        __syncwarp(mask);
        if ((unsigned)lane == from)
            temporary.all.put(0, value);
        __syncwarp(mask);
        return temporary.all.get(0);
    }
};

/* ---- values of a block: N for each thread ---- */

template <class T, int X, int N, BlockLoadAlgorithm HOW = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1,
          int = 0>
struct BlockLoad {
    struct TempStorage {
    };
    int rank;
    SIMT_METHOD BlockLoad() : rank((int)simt_rank_in_block()) {}
    SIMT_METHOD explicit BlockLoad(TempStorage &) : rank((int)simt_rank_in_block()) {}
    SIMT_METHOD int simt_place(int i) const
    {
        return HOW == BLOCK_LOAD_STRIPED ? i * X * Y * Z + rank : rank * N + i;
    }
    template <class I> SIMT_METHOD void Load(I from, T (&to)[N], int valid = X * Y * Z * N)
    {
        for (int i = 0; i < N; i++)
            if (simt_place(i) < valid)
                to[i] = from[simt_place(i)];
    }
    template <class I, class D> SIMT_METHOD void Load(I from, T (&to)[N], int valid, D otherwise)
    {
        for (int i = 0; i < N; i++)
            to[i] = simt_place(i) < valid ? (T)from[simt_place(i)] : (T)otherwise;
    }
};
template <class T, int X, int N, BlockStoreAlgorithm HOW = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1,
          int = 0>
struct BlockStore {
    struct TempStorage {
    };
    int rank;
    SIMT_METHOD BlockStore() : rank((int)simt_rank_in_block()) {}
    SIMT_METHOD explicit BlockStore(TempStorage &) : rank((int)simt_rank_in_block()) {}
    template <class O> SIMT_METHOD void Store(O to, T (&from)[N], int valid = X * Y * Z * N)
    {
        for (int i = 0; i < N; i++) {
            int place = HOW == BLOCK_STORE_STRIPED ? i * X * Y * Z + rank : rank * N + i;
            if (place < valid)
                to[place] = from[i];
        }
    }
};

template <class T, int X, int N, bool = false, int Y = 1, int Z = 1, int = 0> struct BlockExchange {
    static constexpr int simt_threads = X * Y * Z;
    typedef simt_values<T, simt_threads * N> TempStorage;
    SIMT_CUB_CLASS(BlockExchange)
    SIMT_METHOD void BlockedToStriped(const T (&in)[N], T (&out)[N])
    {
        for (int i = 0; i < N; i++)
            temporary.put(rank * N + i, in[i]);
        __syncthreads();
        for (int i = 0; i < N; i++)
            out[i] = temporary.get(i * simt_threads + rank);
    }
    SIMT_METHOD void StripedToBlocked(const T (&in)[N], T (&out)[N])
    {
        for (int i = 0; i < N; i++)
            temporary.put(i * simt_threads + rank, in[i]);
        __syncthreads();
        for (int i = 0; i < N; i++)
            out[i] = temporary.get(rank * N + i);
    }
    SIMT_METHOD void BlockedToStriped(T (&both)[N]) { BlockedToStriped(both, both); }
    SIMT_METHOD void StripedToBlocked(T (&both)[N]) { StripedToBlocked(both, both); }
};

template <class K, int X, int N, class V = NullType, int = 4, bool = true, int = 0, int = 0,
          int Y = 1, int Z = 1, int = 0>
struct BlockRadixSort {
    static constexpr int simt_threads = X * Y * Z, simt_count = simt_threads * N;
    struct TempStorage {
        simt_values<K, simt_count> keys;
        simt_values<V, simt_count> values;
        unsigned short order[simt_count];
    };
    SIMT_CUB_CLASS(BlockRadixSort)
    template <bool PAIRS> SIMT_METHOD void simt_sort(K *keys, V *values, bool down, bool striped)
    {
        for (int i = 0; i < N; i++) {
            temporary.keys.put(rank * N + i, keys[i]);
            if (PAIRS)
                temporary.values.put(rank * N + i, values[i]);
        }
        __syncthreads();
        if (rank == 0) { /* by insertion, which is stable; halves find the place */
            for (int n = 0; n < simt_count; n++) {
                K key = temporary.keys.get(n);
                int low = 0;
                for (int high = n; low < high;) {
                    int middle = (low + high) / 2;
                    K other = temporary.keys.get(temporary.order[middle]);
                    if (down ? other < key : key < other)
                        high = middle;
                    else
                        low = middle + 1;
                }
                for (int i = n; i > low; i--)
                    temporary.order[i] = temporary.order[i - 1];
                temporary.order[low] = (unsigned short)n;
            }
        }
        __syncthreads();
        for (int i = 0; i < N; i++) {
            int from = temporary.order[striped ? i * simt_threads + rank : rank * N + i];
            keys[i] = temporary.keys.get(from);
            if (PAIRS)
                values[i] = temporary.values.get(from);
        }
    }
#define SIMT_CUB_SORTS(NAME, DOWN, STRIPED)                                                        \
    SIMT_METHOD void NAME(K(&keys)[N], int = 0, int = 0)                                           \
    {                                                                                              \
        simt_sort<false>(keys, nullptr, DOWN, STRIPED);                                            \
    }                                                                                              \
    SIMT_METHOD void NAME(K(&keys)[N], V(&values)[N], int = 0, int = 0)                            \
    {                                                                                              \
        simt_sort<true>(keys, values, DOWN, STRIPED);                                              \
    }
    SIMT_CUB_SORTS(Sort, false, false)
    SIMT_CUB_SORTS(SortDescending, true, false)
    SIMT_CUB_SORTS(SortBlockedToStriped, false, true)
};

template <class T, int X, int N, int BINS, BlockHistogramAlgorithm = BLOCK_HISTO_SORT, int Y = 1,
          int Z = 1, int = 0>
struct BlockHistogram {
    struct TempStorage {
    };
    SIMT_METHOD explicit BlockHistogram(TempStorage &) {}
    template <class C> SIMT_METHOD void InitHistogram(C (&bins)[BINS])
    {
        for (int i = (int)simt_rank_in_block(); i < BINS; i += X * Y * Z)
            bins[i] = 0;
    }
    template <class C> SIMT_METHOD void Composite(T (&items)[N], C (&bins)[BINS])
    {
        for (int i = 0; i < N; i++)
            atomicAdd(&bins[items[i]], (C)1);
    }
    template <class C> SIMT_METHOD void Histogram(T (&items)[N], C (&bins)[BINS])
    {
        InitHistogram(bins);
        __syncthreads();
        Composite(items, bins);
    }
};
} // namespace cub
