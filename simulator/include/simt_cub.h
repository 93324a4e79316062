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
    template <class _A, class _B> auto operator()(const _A &a, const _B &b) const { return a + b; }
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
template <class T, int _COUNT> struct simt_values {
    alignas(T) char bytes[_COUNT * sizeof(T)];
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

template <class T, int _X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int _Y = 1,
          int _Z = 1, int = 0>
struct BlockReduce {
    static constexpr int simt_threads = _X * _Y * _Z;
    typedef simt_values<T, simt_threads> TempStorage;
    SIMT_CUB_CLASS(BlockReduce)
    /* Of the first `valid` threads; thread 0 gets the result. */
    template <class _F> SIMT_METHOD T Reduce(T value, _F op, int valid = simt_threads)
    {
        temporary.put(rank, value);
        __syncthreads();
        if (rank == 0)
            for (int i = 1; i < valid && i < simt_threads; i++)
                value = op(value, temporary.get(i));
        return value;
    }
    template <int _N, class _F> SIMT_METHOD T Reduce(T (&values)[_N], _F op)
    {
        T value = values[0];
        for (int i = 1; i < _N; i++)
            value = op(value, values[i]);
        return Reduce(value, op);
    }
    SIMT_METHOD T Sum(T value, int valid = simt_threads)
    {
        return Reduce(value, cub::Sum(), valid);
    }
    template <int _N> SIMT_METHOD T Sum(T (&values)[_N]) { return Reduce(values, cub::Sum()); }
};

template <class T, int _W = 32, int = 0> struct WarpReduce {
    typedef simt_values<T, _W> TempStorage;
    TempStorage &temporary;
    int lane;
    SIMT_METHOD explicit WarpReduce(TempStorage &t) : temporary(t), lane((int)LaneId() % _W) {}
    static SIMT_METHOD unsigned simt_mask()
    {
        return _W == 32 ? ~0u : ((1u << _W % 32) - 1) << LaneId() / _W * _W;
    }
    template <class _F> SIMT_METHOD T Reduce(T value, _F op, int valid = _W)
    {
        __syncwarp(simt_mask());
        temporary.put(lane, value);
        __syncwarp(simt_mask());
        int there = (int)(blockDim.x * blockDim.y * blockDim.z - (simt_rank_in_block() - lane));
        if (lane == 0)
            for (int i = 1; i < valid && i < _W && i < there; i++)
                value = op(value, temporary.get(i));
        return value;
    }
    SIMT_METHOD T Sum(T value, int valid = _W) { return Reduce(value, cub::Sum(), valid); }
};

/* Of a value, or of an array of them. */
#define SIMT_CUB_SUMS                                                                              \
    template <class _V, class _O, class... _R>                                                     \
    SIMT_METHOD void InclusiveSum(_V &&in, _O &out, _R &...rest)                                   \
    {                                                                                              \
        InclusiveScan(in, out, cub::Sum(), rest...);                                               \
    }                                                                                              \
    template <class _V, class _O, class... _R>                                                     \
    SIMT_METHOD void ExclusiveSum(_V &&in, _O &out, _R &...rest)                                   \
    {                                                                                              \
        ExclusiveScan(in, out, T(), cub::Sum(), rest...);                                          \
    }

/* Each takes what comes before its own values, in the order of the threads. */
template <class T, int _THREADS> struct simt_scan {
    struct TempStorage {
        simt_values<T, _THREADS> before;
        simt_values<T, 2> all; /* the sum; what a program puts before it */
    };
    /* has_first: is there a value before the first thread's? Gives what comes before this one. */
    template <class _F, class _BARRIER>
    static SIMT_METHOD T before(TempStorage &t, int rank, int threads, T value, _F op,
                                bool has_first, T first, T &all, _BARRIER barrier)
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

template <class T, int _X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int _Y = 1, int _Z = 1, int = 0>
struct BlockScan {
    static constexpr int simt_threads = _X * _Y * _Z;
    typedef typename simt_scan<T, simt_threads>::TempStorage TempStorage;
    SIMT_CUB_CLASS(BlockScan)
    template <int _N, class _F>
    SIMT_METHOD void simt_all(const T *in, T *out, _F op, bool inclusive, bool has_first, T first,
                              T &all)
    {
        T sum = in[0];
        for (int i = 1; i < _N; i++)
            sum = op(sum, in[i]);
        T so_far = simt_scan<T, simt_threads>::before(
            temporary, rank, simt_threads, sum, op, has_first, first, all,
            []() __attribute__((always_inline)) { __syncthreads(); });
        bool any = rank > 0 || has_first;
        for (int i = 0; i < _N; i++) {
            T value = in[i], next = any ? op(so_far, value) : value;
            out[i] = inclusive ? next : any ? so_far : value;
            so_far = next;
            any = true;
        }
    }
    /* The program says what comes before the block's first value, when it knows the sum. */
    template <int _N, class _F, class _P>
    SIMT_METHOD void simt_after(const T *in, T *out, _F op, bool inclusive, _P &before)
    {
        T all, sum = in[0];
        for (int i = 1; i < _N; i++)
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
        for (int i = 0; i < _N; i++) {
            T next = op(so_far, in[i]);
            out[i] = inclusive ? next : so_far;
            so_far = next;
        }
    }
    /* rest: nothing, a place for the sum, or what says what comes before. */
    template <int _N, class _F, class... _R>
    SIMT_METHOD void simt_any(const T *in, T *out, _F op, bool inclusive, T first, _R &...rest)
    {
        T all;
        if constexpr (sizeof...(_R) == 0)
            simt_all<_N>(in, out, op, inclusive, !inclusive, first, all);
        else if constexpr (::std::is_same<void(T &), void(_R & ...)>::value)
            simt_all<_N>(in, out, op, inclusive, !inclusive, first, rest...);
        else
            simt_after<_N>(in, out, op, inclusive, rest...);
    }
    template <class _F, class... _R>
    SIMT_METHOD void InclusiveScan(T in, T &out, _F op, _R &...rest)
    {
        simt_any<1>(&in, &out, op, true, in, rest...);
    }
    template <int _N, class _F, class... _R>
    SIMT_METHOD void InclusiveScan(T (&in)[_N], T (&out)[_N], _F op, _R &...rest)
    {
        simt_any<_N>(in, out, op, true, in[0], rest...);
    }
    template <class _F, class... _R>
    SIMT_METHOD void ExclusiveScan(T in, T &out, T first, _F op, _R &...rest)
    {
        simt_any<1>(&in, &out, op, false, first, rest...);
    }
    template <int _N, class _F, class... _R>
    SIMT_METHOD void ExclusiveScan(T (&in)[_N], T (&out)[_N], T first, _F op, _R &...rest)
    {
        simt_any<_N>(in, out, op, false, first, rest...);
    }
    SIMT_CUB_SUMS
};

template <class T, int _W = 32, int = 0> struct WarpScan {
    typedef typename simt_scan<T, _W>::TempStorage TempStorage;
    TempStorage &temporary;
    int lane;
    SIMT_METHOD explicit WarpScan(TempStorage &t) : temporary(t), lane((int)LaneId() % _W) {}
    template <class _F, class... _R>
    SIMT_METHOD void simt_all(T in, T &out, _F op, bool inclusive, bool has_first, T first, T &all,
                              _R &...)
    {
        int there = (int)(blockDim.x * blockDim.y * blockDim.z - (simt_rank_in_block() - lane));
        unsigned mask = WarpReduce<T, _W>::simt_mask();
        __syncwarp(mask);
        T so_far = simt_scan<T, _W>::before(
            temporary, lane, there < _W ? there : _W, in, op, has_first, first,
            all, [mask]() __attribute__((always_inline)) { __syncwarp(mask); });
        bool any = lane > 0 || has_first;
        out = !any ? in : inclusive ? op(so_far, in) : so_far;
    }
    template <class _F, class... _R>
    SIMT_METHOD void InclusiveScan(T in, T &out, _F op, _R &...rest)
    {
        T all;
        simt_all(in, out, op, true, false, in, rest..., all);
    }
    template <class _F, class... _R>
    SIMT_METHOD void ExclusiveScan(T in, T &out, T first, _F op, _R &...rest)
    {
        T all;
        simt_all(in, out, op, false, true, first, rest..., all);
    }
    SIMT_CUB_SUMS
    SIMT_METHOD T Broadcast(T value, unsigned from)
    {
        unsigned mask = WarpReduce<T, _W>::simt_mask();
        __syncwarp(mask);
        if ((unsigned)lane == from)
            temporary.all.put(0, value);
        __syncwarp(mask);
        return temporary.all.get(0);
    }
};

/* ---- values of a block: N for each thread ---- */

template <class T, int _X, int _N, BlockLoadAlgorithm _HOW = BLOCK_LOAD_DIRECT, int _Y = 1,
          int _Z = 1, int = 0>
struct BlockLoad {
    struct TempStorage {
    };
    int rank;
    SIMT_METHOD BlockLoad() : rank((int)simt_rank_in_block()) {}
    SIMT_METHOD explicit BlockLoad(TempStorage &) : rank((int)simt_rank_in_block()) {}
    SIMT_METHOD int simt_place(int i) const
    {
        return _HOW == BLOCK_LOAD_STRIPED ? i * _X * _Y * _Z + rank : rank * _N + i;
    }
    template <class _I> SIMT_METHOD void Load(_I from, T (&to)[_N], int valid = _X * _Y * _Z * _N)
    {
        for (int i = 0; i < _N; i++)
            if (simt_place(i) < valid)
                to[i] = from[simt_place(i)];
    }
    template <class _I, class _D>
    SIMT_METHOD void Load(_I from, T (&to)[_N], int valid, _D otherwise)
    {
        for (int i = 0; i < _N; i++)
            to[i] = simt_place(i) < valid ? (T)from[simt_place(i)] : (T)otherwise;
    }
};
template <class T, int _X, int _N, BlockStoreAlgorithm _HOW = BLOCK_STORE_DIRECT, int _Y = 1,
          int _Z = 1, int = 0>
struct BlockStore {
    struct TempStorage {
    };
    int rank;
    SIMT_METHOD BlockStore() : rank((int)simt_rank_in_block()) {}
    SIMT_METHOD explicit BlockStore(TempStorage &) : rank((int)simt_rank_in_block()) {}
    template <class _O> SIMT_METHOD void Store(_O to, T (&from)[_N], int valid = _X * _Y * _Z * _N)
    {
        for (int i = 0; i < _N; i++) {
            int place = _HOW == BLOCK_STORE_STRIPED ? i * _X * _Y * _Z + rank : rank * _N + i;
            if (place < valid)
                to[place] = from[i];
        }
    }
};

template <class T, int _X, int _N, bool = false, int _Y = 1, int _Z = 1, int = 0>
struct BlockExchange {
    static constexpr int simt_threads = _X * _Y * _Z;
    typedef simt_values<T, simt_threads * _N> TempStorage;
    SIMT_CUB_CLASS(BlockExchange)
    SIMT_METHOD void BlockedToStriped(const T (&in)[_N], T (&out)[_N])
    {
        for (int i = 0; i < _N; i++)
            temporary.put(rank * _N + i, in[i]);
        __syncthreads();
        for (int i = 0; i < _N; i++)
            out[i] = temporary.get(i * simt_threads + rank);
    }
    SIMT_METHOD void StripedToBlocked(const T (&in)[_N], T (&out)[_N])
    {
        for (int i = 0; i < _N; i++)
            temporary.put(i * simt_threads + rank, in[i]);
        __syncthreads();
        for (int i = 0; i < _N; i++)
            out[i] = temporary.get(rank * _N + i);
    }
    SIMT_METHOD void BlockedToStriped(T (&both)[_N]) { BlockedToStriped(both, both); }
    SIMT_METHOD void StripedToBlocked(T (&both)[_N]) { StripedToBlocked(both, both); }
};

template <class _K, int _X, int _N, class _V = NullType, int = 4, bool = true, int = 0, int = 0,
          int _Y = 1, int _Z = 1, int = 0>
struct BlockRadixSort {
    static constexpr int simt_threads = _X * _Y * _Z, simt_count = simt_threads * _N;
    struct TempStorage {
        simt_values<_K, simt_count> keys;
        simt_values<_V, simt_count> values;
        unsigned short order[simt_count];
    };
    SIMT_CUB_CLASS(BlockRadixSort)
    template <bool _PAIRS> SIMT_METHOD void simt_sort(_K *keys, _V *values, bool down, bool striped)
    {
        for (int i = 0; i < _N; i++) {
            temporary.keys.put(rank * _N + i, keys[i]);
            if (_PAIRS)
                temporary.values.put(rank * _N + i, values[i]);
        }
        __syncthreads();
        if (rank == 0) { /* by insertion, which is stable; halves find the place */
            for (int n = 0; n < simt_count; n++) {
                _K key = temporary.keys.get(n);
                int low = 0;
                for (int high = n; low < high;) {
                    int middle = (low + high) / 2;
                    _K other = temporary.keys.get(temporary.order[middle]);
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
        for (int i = 0; i < _N; i++) {
            int from = temporary.order[striped ? i * simt_threads + rank : rank * _N + i];
            keys[i] = temporary.keys.get(from);
            if (_PAIRS)
                values[i] = temporary.values.get(from);
        }
    }
#define SIMT_CUB_SORTS(NAME, DOWN, STRIPED)                                                        \
    SIMT_METHOD void NAME(_K(&keys)[_N], int = 0, int = 0)                                         \
    {                                                                                              \
        simt_sort<false>(keys, nullptr, DOWN, STRIPED);                                            \
    }                                                                                              \
    SIMT_METHOD void NAME(_K(&keys)[_N], _V(&values)[_N], int = 0, int = 0)                        \
    {                                                                                              \
        simt_sort<true>(keys, values, DOWN, STRIPED);                                              \
    }
    SIMT_CUB_SORTS(Sort, false, false)
    SIMT_CUB_SORTS(SortDescending, true, false)
    SIMT_CUB_SORTS(SortBlockedToStriped, false, true)
};

template <class T, int _X, int _N, int _BINS, BlockHistogramAlgorithm = BLOCK_HISTO_SORT,
          int _Y = 1, int _Z = 1, int = 0>
struct BlockHistogram {
    struct TempStorage {
    };
    SIMT_METHOD explicit BlockHistogram(TempStorage &) {}
    template <class _C> SIMT_METHOD void InitHistogram(_C (&bins)[_BINS])
    {
        for (int i = (int)simt_rank_in_block(); i < _BINS; i += _X * _Y * _Z)
            bins[i] = 0;
    }
    template <class _C> SIMT_METHOD void Composite(T (&items)[_N], _C (&bins)[_BINS])
    {
        for (int i = 0; i < _N; i++)
            atomicAdd(&bins[items[i]], (_C)1);
    }
    template <class _C> SIMT_METHOD void Histogram(T (&items)[_N], _C (&bins)[_BINS])
    {
        InitHistogram(bins);
        __syncthreads();
        Composite(items, bins);
    }
};
} // namespace cub
