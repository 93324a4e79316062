/* cub.cuh: CUB's device-wide functions, by those of Thrust (../simt_thrust.h): of each a kernel of
   one thread. What a block and a warp do is in ../simt_cub.h. */
#pragma once

#include "../simt_cub.h"
#include "../simt_thrust.h"

#pragma GCC system_header

namespace cub
{

template <class T> struct DoubleBuffer {
    T *d_buffers[2];
    int selector = 0;
    DoubleBuffer(T *a = nullptr, T *b = nullptr) : d_buffers{a, b} {}
    T *Current() { return d_buffers[selector]; }
    T *Alternate() { return d_buffers[selector ^ 1]; }
};
template <class _K, class _V> struct KeyValuePair {
    _K key;
    _V value;
    KeyValuePair() = default;
    KeyValuePair(_K key, _V value) : key(key), value(value) {}
};
/* The pair with the larger value; of equal ones the one with the smaller key. */
struct ArgMax {
    template <class T> T operator()(const T &a, const T &b) const
    {
        return a.value < b.value || (a.value == b.value && b.key < a.key) ? b : a;
    }
};
struct ArgMin {
    template <class T> T operator()(const T &a, const T &b) const
    {
        return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
    }
};
template <int _N> struct Int2Type {
    enum { VALUE = _N };
};
/* Memory that samples ask for in this way. */
struct CachingDeviceAllocator {
    CachingDeviceAllocator(bool = true) {}
    template <class T> cudaError_t DeviceAllocate(T **p, size_t bytes, cudaStream_t = 0)
    {
        return cudaMalloc((void **)p, bytes);
    }
    cudaError_t DeviceFree(void *p) { return cudaFree(p); }
};

template <class _I> using simt_value_of = thrust::simt_value_of<_I>;

/* The first call asks for the size of temporary memory, which the second is given. */
#define SIMT_CUB(NAME, TEMPLATE, PARAMETERS, ...)                                                  \
    template <TEMPLATE>                                                                            \
    static cudaError_t NAME(void *temporary, size_t &bytes, SIMT_CUB_LIST PARAMETERS,              \
                            cudaStream_t stream = 0)                                               \
    {                                                                                              \
        if (!temporary)                                                                            \
            return bytes = 1, cudaSuccess;                                                         \
        auto where = thrust::device.on(stream);                                                    \
        __VA_ARGS__;                                                                               \
        return cudaPeekAtLastError();                                                              \
    }
#define SIMT_CUB_LIST(...)  __VA_ARGS__
#define SIMT_CUB_TYPES(...) __VA_ARGS__
/* One result, by the first element. */
#define SIMT_CUB_REDUCE(OP, START)                                                                 \
    simt_value_of<_I> start = START;                                                               \
    thrust::simt_run(where, [=]() mutable {                                                        \
        auto sum = start;                                                                          \
        for (size_t i = 0; i < (size_t)n; i++)                                                     \
            sum = OP(sum, in[(ptrdiff_t)i]);                                                       \
        *out = sum;                                                                                \
    })
#define SIMT_CUB_BEST(BETTER)                                                                      \
    thrust::simt_run(where, [=]() mutable {                                                        \
        ptrdiff_t best = 0;                                                                        \
        for (ptrdiff_t i = 1; i < (ptrdiff_t)n; i++)                                               \
            best = BETTER ? i : best;                                                              \
        out->key = (int)best;                                                                      \
        out->value = in[best];                                                                     \
    })

struct DeviceReduce {
    SIMT_CUB(Sum, SIMT_CUB_TYPES(class _I, class _O, class _N), (_I in, _O out, _N n),
             SIMT_CUB_REDUCE(cub::Sum(), simt_value_of<_I>()))
    SIMT_CUB(Max, SIMT_CUB_TYPES(class _I, class _O, class _N), (_I in, _O out, _N n),
             SIMT_CUB_REDUCE(cub::Max(), std::numeric_limits<simt_value_of<_I>>::lowest()))
    SIMT_CUB(Min, SIMT_CUB_TYPES(class _I, class _O, class _N), (_I in, _O out, _N n),
             SIMT_CUB_REDUCE(cub::Min(), std::numeric_limits<simt_value_of<_I>>::max()))
    SIMT_CUB(Reduce, SIMT_CUB_TYPES(class _I, class _O, class _N, class _R, class T),
             (_I in, _O out, _N n, _R op, T first), SIMT_CUB_REDUCE(op, first))
    SIMT_CUB(ArgMax, SIMT_CUB_TYPES(class _I, class _O, class _N), (_I in, _O out, _N n),
             SIMT_CUB_BEST(in[best] < in[i]))
    SIMT_CUB(ArgMin, SIMT_CUB_TYPES(class _I, class _O, class _N), (_I in, _O out, _N n),
             SIMT_CUB_BEST(in[i] < in[best]))
    SIMT_CUB(ReduceByKey,
             SIMT_CUB_TYPES(class _K, class U, class _V, class _A, class _C, class _R, class _N),
             (_K keys, U unique, _V values, _A sums, _C runs, _R op, _N n),
             auto end = thrust::reduce_by_key(where, keys, keys + (ptrdiff_t)n, values, unique,
                                              sums, thrust::equal_to<simt_value_of<_K>>(), op);
             auto count = end.first - unique;
             thrust::simt_run(where, [=]() mutable { *runs = (simt_value_of<_C>)count; }))
};

struct DeviceSegmentedReduce {
    SIMT_CUB(Sum, SIMT_CUB_TYPES(class _I, class _O, class _B, class _E),
             (_I in, _O out, int n, _B begin, _E end), thrust::simt_run(where, [=]() mutable {
                 for (int s = 0; s < n; s++) {
                     simt_value_of<_I> sum = simt_value_of<_I>();
                     for (ptrdiff_t i = begin[s]; i < (ptrdiff_t)end[s]; i++)
                         sum = sum + in[i];
                     out[s] = sum;
                 }
             }))
};

struct DeviceScan {
    SIMT_CUB(ExclusiveSum, SIMT_CUB_TYPES(class _I, class _O, class _N), (_I in, _O out, _N n),
             thrust::exclusive_scan(where, in, in + (ptrdiff_t)n, out))
    SIMT_CUB(InclusiveSum, SIMT_CUB_TYPES(class _I, class _O, class _N), (_I in, _O out, _N n),
             thrust::inclusive_scan(where, in, in + (ptrdiff_t)n, out))
    SIMT_CUB(ExclusiveScan, SIMT_CUB_TYPES(class _I, class _O, class _R, class T, class _N),
             (_I in, _O out, _R op, T first, _N n),
             thrust::exclusive_scan(where, in, in + (ptrdiff_t)n, out, first, op))
    SIMT_CUB(InclusiveScan, SIMT_CUB_TYPES(class _I, class _O, class _R, class _N),
             (_I in, _O out, _R op, _N n),
             thrust::inclusive_scan(where, in, in + (ptrdiff_t)n, out, op))
};

/* values: NULL, there are none. */
template <class _K, class _V, class _N, class _L>
static cudaError_t simt_sort(void *temporary, size_t &bytes, const _K *in, _K *out,
                             const _V *values, _V *values_out, _N n, _L before, cudaStream_t stream)
{
    if (!temporary)
        return bytes = 1, cudaSuccess;
    auto where = thrust::device.on(stream);
    thrust::copy_n(where, in, (size_t)n, out);
    if (values)
        thrust::copy_n(where, values, (size_t)n, values_out);
    if (values)
        thrust::sort_by_key(where, out, out + n, values_out, before);
    else
        thrust::sort(where, out, out + n, before);
    return cudaPeekAtLastError();
}
#define SIMT_CUB_SORT(NAME, TEMPLATE, PARAMETERS, ...)                                             \
    template <class _K, TEMPLATE class _N>                                                         \
    static cudaError_t NAME(void *temporary, size_t &bytes, SIMT_CUB_LIST PARAMETERS, _N n,        \
                            int = 0, int = 8 * sizeof(_K), cudaStream_t stream = 0)                \
    {                                                                                              \
        return simt_sort(temporary, bytes, __VA_ARGS__, stream);                                   \
    }
#define SIMT_CUB_VALUES class _V,
#define SIMT_CUB_SORTS(NAME, ORDER)                                                                \
    SIMT_CUB_SORT(SortKeys##NAME, , (const _K *in, _K *out), in, out, (const int *)nullptr,        \
                  (int *)nullptr, n, thrust::ORDER<_K>())                                          \
    SIMT_CUB_SORT(SortPairs##NAME, SIMT_CUB_VALUES,                                                \
                  (const _K *in, _K *out, const _V *values, _V *values_out), in, out, values,      \
                  values_out, n, thrust::ORDER<_K>())                                              \
    SIMT_CUB_SORT(SortKeys##NAME, , (DoubleBuffer<_K> & keys), (const _K *)keys.Current(),         \
                  keys.Current(), (const int *)nullptr, (int *)nullptr, n, thrust::ORDER<_K>())    \
    SIMT_CUB_SORT(SortPairs##NAME, SIMT_CUB_VALUES,                                                \
                  (DoubleBuffer<_K> & keys, DoubleBuffer<_V> & values),                            \
                  (const _K *)keys.Current(), keys.Current(), (const _V *)values.Current(),        \
                  values.Current(), n, thrust::ORDER<_K>())
struct DeviceRadixSort {
    SIMT_CUB_SORTS(, less)
    SIMT_CUB_SORTS(Descending, greater)
};

struct DeviceMergeSort {
    SIMT_CUB(SortKeys, SIMT_CUB_TYPES(class _K, class _N, class _L), (_K keys, _N n, _L before),
             thrust::stable_sort(where, keys, keys + (ptrdiff_t)n, before))
    SIMT_CUB(SortPairs, SIMT_CUB_TYPES(class _K, class _V, class _N, class _L),
             (_K keys, _V values, _N n, _L before),
             thrust::stable_sort_by_key(where, keys, keys + (ptrdiff_t)n, values, before))
};

struct DeviceSelect {
    /* Those for which wanted(i) holds. */
    template <class _I, class _O, class _C, class _N, class _P>
    static void simt_keep(const thrust::simt_policy &where, _I in, _O out, _C count, _N n,
                          _P wanted)
    {
        thrust::simt_run(where, [=]() mutable {
            ptrdiff_t kept = 0;
            for (ptrdiff_t i = 0; i < (ptrdiff_t)n; i++)
                if (wanted(i))
                    out[kept++] = in[i];
            *count = (simt_value_of<_C>)kept;
        });
    }
    SIMT_CUB(If, SIMT_CUB_TYPES(class _I, class _O, class _C, class _N, class _P),
             (_I in, _O out, _C count, _N n, _P wanted),
             simt_keep(where, in, out, count, n,
                       [=](ptrdiff_t i) mutable { return wanted(in[i]); }))
    SIMT_CUB(Flagged, SIMT_CUB_TYPES(class _I, class _F, class _O, class _C, class _N),
             (_I in, _F flags, _O out, _C count, _N n),
             simt_keep(where, in, out, count, n, [=](ptrdiff_t i) { return flags[i]; }))
    SIMT_CUB(Unique, SIMT_CUB_TYPES(class _I, class _O, class _C, class _N),
             (_I in, _O out, _C count, _N n), simt_keep(where, in, out, count, n, [=](ptrdiff_t i) {
                 return i == 0 || !(in[i] == in[i - 1]);
             }))
};

struct DeviceRunLengthEncode {
    SIMT_CUB(Encode, SIMT_CUB_TYPES(class _I, class U, class _L, class _C, class _N),
             (_I in, U unique, _L lengths, _C runs, _N n), thrust::simt_run(where, [=]() mutable {
                 ptrdiff_t count = 0;
                 for (ptrdiff_t i = 0, start = 0; i < (ptrdiff_t)n; i++)
                     if (i + 1 == (ptrdiff_t)n || !(in[i + 1] == in[i])) {
                         unique[count] = in[i];
                         lengths[count++] = (simt_value_of<_L>)(i + 1 - start);
                         start = i + 1;
                     }
                 *runs = (simt_value_of<_C>)count;
             }))
};

struct DeviceHistogram {
    SIMT_CUB(HistogramEven, SIMT_CUB_TYPES(class _I, class _H, class T, class _N),
             (_I in, _H bins, int levels, T low, T high, _N n),
             thrust::simt_run(where, [=]() mutable {
                 for (int b = 0; b + 1 < levels; b++)
                     bins[b] = 0;
                 for (ptrdiff_t i = 0; i < (ptrdiff_t)n; i++)
                     if (!(in[i] < low) && in[i] < high)
                         bins[(ptrdiff_t)(((double)in[i] - (double)low) * (levels - 1) /
                                          ((double)high - (double)low))]++;
             }))
};

} // namespace cub
