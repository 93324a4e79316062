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
template <class K, class V> struct KeyValuePair {
    K key;
    V value;
};
template <int N> struct Int2Type {
    enum { VALUE = N };
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

template <class I> using simt_value_of = thrust::simt_value_of<I>;

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
    simt_value_of<I> start = START;                                                                \
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
    SIMT_CUB(Sum, SIMT_CUB_TYPES(class I, class O, class N), (I in, O out, N n),
             SIMT_CUB_REDUCE(cub::Sum(), simt_value_of<I>()))
    SIMT_CUB(Max, SIMT_CUB_TYPES(class I, class O, class N), (I in, O out, N n),
             SIMT_CUB_REDUCE(cub::Max(), std::numeric_limits<simt_value_of<I>>::lowest()))
    SIMT_CUB(Min, SIMT_CUB_TYPES(class I, class O, class N), (I in, O out, N n),
             SIMT_CUB_REDUCE(cub::Min(), std::numeric_limits<simt_value_of<I>>::max()))
    SIMT_CUB(Reduce, SIMT_CUB_TYPES(class I, class O, class N, class R, class T),
             (I in, O out, N n, R op, T first), SIMT_CUB_REDUCE(op, first))
    SIMT_CUB(ArgMax, SIMT_CUB_TYPES(class I, class O, class N), (I in, O out, N n),
             SIMT_CUB_BEST(in[best] < in[i]))
    SIMT_CUB(ArgMin, SIMT_CUB_TYPES(class I, class O, class N), (I in, O out, N n),
             SIMT_CUB_BEST(in[i] < in[best]))
    SIMT_CUB(ReduceByKey,
             SIMT_CUB_TYPES(class K, class U, class V, class A, class C, class R, class N),
             (K keys, U unique, V values, A sums, C runs, R op, N n),
             auto end = thrust::reduce_by_key(where, keys, keys + (ptrdiff_t)n, values, unique,
                                              sums, thrust::equal_to<simt_value_of<K>>(), op);
             auto count = end.first - unique;
             thrust::simt_run(where, [=]() mutable { *runs = (simt_value_of<C>)count; }))
};

struct DeviceSegmentedReduce {
    SIMT_CUB(Sum, SIMT_CUB_TYPES(class I, class O, class B, class E),
             (I in, O out, int n, B begin, E end), thrust::simt_run(where, [=]() mutable {
                 for (int s = 0; s < n; s++) {
                     simt_value_of<I> sum = simt_value_of<I>();
                     for (ptrdiff_t i = begin[s]; i < (ptrdiff_t)end[s]; i++)
                         sum = sum + in[i];
                     out[s] = sum;
                 }
             }))
};

struct DeviceScan {
    SIMT_CUB(ExclusiveSum, SIMT_CUB_TYPES(class I, class O, class N), (I in, O out, N n),
             thrust::exclusive_scan(where, in, in + (ptrdiff_t)n, out))
    SIMT_CUB(InclusiveSum, SIMT_CUB_TYPES(class I, class O, class N), (I in, O out, N n),
             thrust::inclusive_scan(where, in, in + (ptrdiff_t)n, out))
    SIMT_CUB(ExclusiveScan, SIMT_CUB_TYPES(class I, class O, class R, class T, class N),
             (I in, O out, R op, T first, N n),
             thrust::exclusive_scan(where, in, in + (ptrdiff_t)n, out, first, op))
    SIMT_CUB(InclusiveScan, SIMT_CUB_TYPES(class I, class O, class R, class N),
             (I in, O out, R op, N n),
             thrust::inclusive_scan(where, in, in + (ptrdiff_t)n, out, op))
};

/* values: NULL, there are none. */
template <class K, class V, class N, class L>
static cudaError_t simt_sort(void *temporary, size_t &bytes, const K *in, K *out, const V *values,
                             V *values_out, N n, L before, cudaStream_t stream)
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
    template <class K, TEMPLATE class N>                                                           \
    static cudaError_t NAME(void *temporary, size_t &bytes, SIMT_CUB_LIST PARAMETERS, N n,         \
                            int = 0, int = 8 * sizeof(K), cudaStream_t stream = 0)                 \
    {                                                                                              \
        return simt_sort(temporary, bytes, __VA_ARGS__, stream);                                   \
    }
#define SIMT_CUB_VALUES class V,
#define SIMT_CUB_SORTS(NAME, ORDER)                                                                \
    SIMT_CUB_SORT(SortKeys##NAME, , (const K *in, K *out), in, out, (const int *)nullptr,          \
                  (int *)nullptr, n, thrust::ORDER<K>())                                           \
    SIMT_CUB_SORT(SortPairs##NAME, SIMT_CUB_VALUES,                                                \
                  (const K *in, K *out, const V *values, V *values_out), in, out, values,          \
                  values_out, n, thrust::ORDER<K>())                                               \
    SIMT_CUB_SORT(SortKeys##NAME, , (DoubleBuffer<K> & keys), (const K *)keys.Current(),           \
                  keys.Current(), (const int *)nullptr, (int *)nullptr, n, thrust::ORDER<K>())     \
    SIMT_CUB_SORT(SortPairs##NAME, SIMT_CUB_VALUES,                                                \
                  (DoubleBuffer<K> & keys, DoubleBuffer<V> & values), (const K *)keys.Current(),   \
                  keys.Current(), (const V *)values.Current(), values.Current(), n,                \
                  thrust::ORDER<K>())
struct DeviceRadixSort {
    SIMT_CUB_SORTS(, less)
    SIMT_CUB_SORTS(Descending, greater)
};

struct DeviceMergeSort {
    SIMT_CUB(SortKeys, SIMT_CUB_TYPES(class K, class N, class L), (K keys, N n, L before),
             thrust::stable_sort(where, keys, keys + (ptrdiff_t)n, before))
    SIMT_CUB(SortPairs, SIMT_CUB_TYPES(class K, class V, class N, class L),
             (K keys, V values, N n, L before),
             thrust::stable_sort_by_key(where, keys, keys + (ptrdiff_t)n, values, before))
};

struct DeviceSelect {
    /* Those for which wanted(i) holds. */
    template <class I, class O, class C, class N, class P>
    static void simt_keep(const thrust::simt_policy &where, I in, O out, C count, N n, P wanted)
    {
        thrust::simt_run(where, [=]() mutable {
            ptrdiff_t kept = 0;
            for (ptrdiff_t i = 0; i < (ptrdiff_t)n; i++)
                if (wanted(i))
                    out[kept++] = in[i];
            *count = (simt_value_of<C>)kept;
        });
    }
    SIMT_CUB(If, SIMT_CUB_TYPES(class I, class O, class C, class N, class P),
             (I in, O out, C count, N n, P wanted),
             simt_keep(where, in, out, count, n,
                       [=](ptrdiff_t i) mutable { return wanted(in[i]); }))
    SIMT_CUB(Flagged, SIMT_CUB_TYPES(class I, class F, class O, class C, class N),
             (I in, F flags, O out, C count, N n),
             simt_keep(where, in, out, count, n, [=](ptrdiff_t i) { return flags[i]; }))
    SIMT_CUB(Unique, SIMT_CUB_TYPES(class I, class O, class C, class N),
             (I in, O out, C count, N n), simt_keep(where, in, out, count, n, [=](ptrdiff_t i) {
                 return i == 0 || !(in[i] == in[i - 1]);
             }))
};

struct DeviceRunLengthEncode {
    SIMT_CUB(Encode, SIMT_CUB_TYPES(class I, class U, class L, class C, class N),
             (I in, U unique, L lengths, C runs, N n), thrust::simt_run(where, [=]() mutable {
                 ptrdiff_t count = 0;
                 for (ptrdiff_t i = 0, start = 0; i < (ptrdiff_t)n; i++)
                     if (i + 1 == (ptrdiff_t)n || !(in[i + 1] == in[i])) {
                         unique[count] = in[i];
                         lengths[count++] = (simt_value_of<L>)(i + 1 - start);
                         start = i + 1;
                     }
                 *runs = (simt_value_of<C>)count;
             }))
};

struct DeviceHistogram {
    SIMT_CUB(HistogramEven, SIMT_CUB_TYPES(class I, class H, class T, class N),
             (I in, H bins, int levels, T low, T high, N n), thrust::simt_run(where, [=]() mutable {
                 for (int b = 0; b + 1 < levels; b++)
                     bins[b] = 0;
                 for (ptrdiff_t i = 0; i < (ptrdiff_t)n; i++)
                     if (!(in[i] < low) && in[i] < high)
                         bins[(ptrdiff_t)(((double)in[i] - (double)low) * (levels - 1) /
                                          ((double)high - (double)low))]++;
             }))
};

} // namespace cub
