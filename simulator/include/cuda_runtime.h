/* cuda_runtime.h: CUDA C++ for an ordinary compiler: words of the language, launches, what needs
   templates. ../rewrite.c has replaced what C++ cannot parse before the compiler reads this.
   Parameters of templates in this folder, but for T and U, begin with an underscore: a program may
   have a macro K. (T and U are in the way in CUDA's own headers, too.) */
#pragma once

#include "cuda_runtime_api.h"

#ifdef __cplusplus
#include "simt_kernels.h"
#include <assert.h>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <math.h>
#include <new>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <tuple>
#include <type_traits>
#include <utility>

/* So that faults name the caller. */
#define SIMT_METHOD inline __attribute__((always_inline))
#define SIMT_INLINE static SIMT_METHOD

/* ---- launches: k<<<g, b, s, st>>>(x, y) arrives here as
   simt_kernel([=](auto... a) { k(a...); }, …)(g, b, s, st).run(x, y) ---- */

/* Bytes of those that are structures: of others an argument's size is not the parameter's. */
template <class... _A> constexpr size_t simt_bytes_of()
{
    size_t bytes = 0;
    for (size_t size : {(size_t)0, (std::is_class<_A>::value ? sizeof(_A) : 0)...})
        bytes += size;
    return bytes;
}

/* A class with a copy constructor or destructor is copied once, at the launch, and threads get its
   bytes. It is passed by its address (Itanium C++ ABI, 3.1.2.3), so called as by a reference. */
template <class T> struct simt_has_own_copy {
    static constexpr bool value = (std::is_class<T>::value || std::is_union<T>::value) &&
                                  !(std::is_trivially_copy_constructible<T>::value &&
                                    std::is_trivially_move_constructible<T>::value);
};
template <class T> struct simt_bytes {
    alignas(T) char bytes[sizeof(T)];
    T &get() const { return *(T *)bytes; }
};
template <class T, bool = simt_has_own_copy<T>::value> struct simt_parameter : simt_bytes<T> {
    typedef T &type;
    simt_parameter(const T &x) { memcpy(this->bytes, &x, sizeof x); }
};
template <class T> struct simt_parameter<T, false> {
    typedef T type;
    const T &x;
    simt_parameter(const T &x) : x(x) {}
    T get() const { return x; }
};
constexpr bool simt_any(std::initializer_list<bool> list)
{
    for (bool b : list)
        if (b)
            return true;
    return false;
}
/* The arguments are copied at the launch, and once more for every thread. */
template <class _F, class... _A>
SIMT_INLINE cudaError_t simt_call(const simt_how &how, _F kernel, _A... a)
{
    static_assert(simt_bytes_of<_A...>() <= 32764, "more than 32764 bytes of parameters");
    auto thread = [=] { kernel(a...); };
    return simt_launch_grid(
        &how, [](const void *p) { (*(const decltype(thread) *)p)(); }, &thread, sizeof thread);
}

/* An argument as a launch keeps it: its bytes. Of a reference, to managed memory, the address. */
template <class _P> struct simt_held : simt_bytes<std::decay_t<_P>> {
    typedef std::decay_t<_P> argument;
    void hold(const argument &x) { memcpy(this->bytes, (const void *)&x, sizeof x); }
};
template <class _P> struct simt_held<_P &> {
    typedef _P &argument;
    _P *p;
    void hold(_P &x) { p = std::addressof(x); }
    _P &get() const { return *p; }
};
/* A kernel by its address: launches of all kernels with the same parameters share this. */
template <class... _P> struct simt_kernel_address {
    typedef std::index_sequence_for<_P...> all;
    void (*kernel)(_P...);
    simt_how how;
    std::tuple<simt_held<_P>...> held;

    simt_kernel_address &operator()(dim3 g, dim3 b, size_t bytes = 0, cudaStream_t stream = 0)
    {
        how.grid = g, how.block = b, how.shared = bytes, how.stream = stream;
        return *this;
    }
    __attribute__((always_inline)) void run(typename simt_held<_P>::argument... a)
    {
        simt_unasked_launch(launch(a...)); /* which takes the place of its caller */
    }
    template <size_t... _I, class... _A> void hold(std::index_sequence<_I...>, _A &...a)
    {
        int each[] = {0, (std::get<_I>(held).hold(a), 0)...};
        (void)each;
    }
    template <size_t... _I> void hold_from(std::index_sequence<_I...> each, void **a)
    {
        hold(each, *(std::decay_t<_P> *)a[_I]...);
    }
    cudaError_t start()
    {
        static_assert(simt_bytes_of<std::decay_t<_P>...>() <= 32764,
                      "more than 32764 bytes of parameters");
        return simt_launch_grid(
            &how, [](const void *p) { ((const simt_kernel_address *)p)->call(all()); }, this,
            sizeof *this);
    }
    template <class... _A> cudaError_t launch(_A &...a) { return hold(all(), a...), start(); }
    cudaError_t launch_with(void **a) { return hold_from(all(), a), start(); }
    template <size_t... _I> void call(std::index_sequence<_I...>) const
    {
        ((void (*)(typename simt_parameter<_P>::type...))(void (*)())kernel)(
            simt_parameter<_P>(std::get<_I>(held).get()).get()...);
    }
};
template <class... _P> simt_kernel_address<_P...> simt_kernel_at(void (*kernel)(_P...))
{
    return {kernel, {}, {}};
}

/* One of several kernels of a name, or of a template: by the arguments' types, or by a call. */
template <class _F, class _B> struct simt_kernel_launch {
    _F kernel;
    _B by_type;
    simt_how how = {};

    simt_kernel_launch(_F kernel, _B by_type) : kernel(kernel), by_type(by_type) {}
    simt_kernel_launch &operator()(dim3 g, dim3 b, size_t bytes = 0, cudaStream_t stream = 0)
    {
        how.grid = g, how.block = b, how.shared = bytes, how.stream = stream;
        return *this;
    }
    template <class... _A> __attribute__((always_inline)) void run(_A... a)
    {
        simt_unasked_launch(start(0, a...));
    }
    template <class... _A>
    __attribute__((always_inline)) auto start(int, _A &...a)
        -> decltype(by_type(a...), cudaError_t())
    {
        auto one = simt_kernel_at(by_type(a...));
        one.how = how;
        return one.launch(a...);
    }
    template <class... _A> __attribute__((always_inline)) cudaError_t start(long, _A &...a)
    {
        return simt_call(how, kernel, a...);
    }
};
/* cudaFree(p); as a statement arrives here as simt_ignored(), cudaFree(p); */
struct simt_ignored_result {
};
SIMT_INLINE simt_ignored_result simt_ignored() { return {}; }
SIMT_INLINE void operator,(simt_ignored_result, cudaError_t error) { simt_unasked(error); }
template <class _F, class _B> simt_kernel_launch<_F, _B> simt_kernel(_F kernel, _B by_type)
{
    return {kernel, by_type};
}

/* With the arguments' places; kernel: with a type, or a pointer without one. */
template <class... _P>
cudaError_t simt_launch_with(const simt_how &how, void (*kernel)(_P...), void **arguments)
{
    auto one = simt_kernel_at(kernel);
    one.how = how;
    return one.launch_with(arguments);
}
static inline cudaError_t simt_launch_with(const simt_how &how, const void *, void **arguments)
{
    return simt_launch_erased(&how, arguments);
}
#define SIMT_LAUNCHES(TEMPLATE, KERNEL)                                                            \
    TEMPLATE cudaError_t cudaLaunchKernel(KERNEL, dim3 grid, dim3 block, void **arguments,         \
                                          size_t shared = 0, cudaStream_t stream = 0)              \
    {                                                                                              \
        return simt_launch_with({grid, block, 1, shared, false, (const void *)kernel, stream},     \
                                kernel, arguments);                                                \
    }                                                                                              \
    TEMPLATE cudaError_t cudaLaunchCooperativeKernel(KERNEL, dim3 grid, dim3 block,                \
                                                     void **arguments, size_t shared = 0,          \
                                                     cudaStream_t stream = 0)                      \
    {                                                                                              \
        return simt_launch_with({grid, block, 1, shared, true, (const void *)kernel, stream},      \
                                kernel, arguments);                                                \
    }                                                                                              \
    TEMPLATE cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, KERNEL,             \
                                             void **arguments)                                     \
    {                                                                                              \
        simt_how how;                                                                              \
        simt_configure(&how, config, (const void *)kernel);                                        \
        return simt_launch_with(how, kernel, arguments);                                           \
    }
SIMT_LAUNCHES(template <class... _P>, void (*kernel)(_P...))
SIMT_LAUNCHES(static inline, const void *kernel)
template <class... _P, class... _A>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(_P...), _A &&...a)
{
    auto one = simt_kernel_at(kernel);
    simt_configure(&one.how, config, (const void *)kernel);
    return [&](_P... p) { return one.launch(p...); }(std::forward<_A>(a)...);
}

/* (void *)kernel arrives here as simt_kernel_pointer(kernel): what its arguments are is kept. */
template <class... _P> void *simt_kernel_pointer(void (*kernel)(_P...))
{
    using closure = simt_kernel_address<_P...>;
    static const simt_erased erased = {
        sizeof(closure),
        [](void *to, const void *k, void **a) {
            ((closure *)to)->kernel = (void (*)(_P...))k;
            ((closure *)to)->hold_from(typename closure::all(), a);
        },
        [](const void *p) { ((const closure *)p)->call(typename closure::all()); },
    };
    return simt_know_kernel((const void *)kernel, &erased);
}
SIMT_INLINE void *simt_kernel_pointer(const void *p) { return (void *)p; }

template <class _K>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, _K, int block, size_t shared)
{
    *blocks = simt_blocks_per_sm(block, shared);
    return cudaSuccess;
}
template <class _K>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, _K, size_t shared = 0,
                                               int limit = 0)
{
    int sms = 0;
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
    *block = limit > 0 && limit < 1024 ? limit : 1024;
    *grid = sms * simt_blocks_per_sm(*block, shared);
    return cudaSuccess;
}
template <class _K>
cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, _K kernel,
                                           const cudaLaunchConfig_t *config)
{
    simt_how how;
    simt_configure(&how, config, (const void *)kernel);
    *clusters = simt_resident_clusters(&how);
    return cudaSuccess;
}
template <class _K>
cudaError_t cudaOccupancyMaxPotentialClusterSize(int *blocks, _K kernel, const cudaLaunchConfig_t *)
{
    *blocks = (int)simt_most_cluster_blocks((const void *)kernel);
    return cudaSuccess;
}
template <class _K>
cudaError_t cudaFuncSetAttribute(_K kernel, cudaFuncAttribute attribute, int value)
{
    return simt_set_attribute((const void *)kernel, attribute, value);
}
template <class _K> cudaError_t cudaFuncSetCacheConfig(_K, cudaFuncCache) { return cudaSuccess; }
template <class _K> cudaError_t cudaFuncSetSharedMemConfig(_K, cudaSharedMemConfig)
{
    return cudaSuccess;
}
/* How much more shared memory a block may have, if so many are to fit on an SM. */
template <class _K>
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, _K, int blocks, int)
{
    int all = 0;
    cudaDeviceGetAttribute(&all, cudaDevAttrMaxSharedMemoryPerMultiprocessor, 0);
    *bytes = blocks > 0 ? (size_t)all / (size_t)blocks - 1024 : 0;
    return cudaSuccess;
}
template <class _K>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, _K kernel,
                                                                   int block, size_t shared,
                                                                   unsigned)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, block, shared);
}
template <class _K, class _F>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block, _K kernel,
                                                           _F bytes, int limit = 0)
{
    int threads = limit > 0 && limit < 1024 ? limit : 1024;
    while (threads > 32 && simt_blocks_per_sm(threads, bytes(threads)) == 0)
        threads -= 32;
    return cudaOccupancyMaxPotentialBlockSize(grid, block, kernel, bytes(threads), threads);
}
template <class _K> cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, _K kernel)
{
    return simt_get_attributes(attributes, (const void *)kernel);
}

/* ---- memory ---- */

/* Pointers of any type, as in cudaMalloc(&x, bytes). */
#define SIMT_ANY_POINTER(NAME, PARAMETERS, ...)                                                    \
    template <class T> cudaError_t NAME PARAMETERS { return NAME((void **)p, __VA_ARGS__); }
SIMT_ANY_POINTER(cudaMalloc, (T * *p, size_t bytes), bytes)
SIMT_ANY_POINTER(cudaMallocAsync, (T * *p, size_t bytes, cudaStream_t stream), bytes, stream)
SIMT_ANY_POINTER(cudaMallocManaged, (T * *p, size_t bytes, unsigned flags = cudaMemAttachGlobal),
                 bytes, flags)
SIMT_ANY_POINTER(cudaHostAlloc, (T * *p, size_t bytes, unsigned flags), bytes, flags)
SIMT_ANY_POINTER(cudaMallocHost, (T * *p, size_t bytes, unsigned = 0), bytes)
SIMT_ANY_POINTER(cudaMallocPitch, (T * *p, size_t *pitch, size_t width, size_t height), pitch,
                 width, height)
SIMT_ANY_POINTER(cudaHostGetDevicePointer, (T * *p, void *host, unsigned flags), host, flags)
SIMT_ANY_POINTER(cudaMallocFromPoolAsync,
                 (T * *p, size_t bytes, cudaMemPool_t pool, cudaStream_t stream), bytes, pool,
                 stream)
/* Before CUDA 12 it took a place for an error message. */
SIMT_CALL(cudaGraphInstantiate, (cudaGraphExec_t * exec, cudaGraph_t graph, void *, char *, size_t),
          cudaGraphInstantiate(exec, graph, 0ull))
SIMT_CALL(cudaGraphInstantiateWithFlags,
          (cudaGraphExec_t * exec, cudaGraph_t graph, unsigned long long flags),
          cudaGraphInstantiate(exec, graph, flags))
/* Before CUDA 13 without data for the edges. */
SIMT_CALL(cudaGraphAddDependencies,
          (cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t count),
          cudaGraphAddDependencies(graph, from, to, nullptr, count))
SIMT_CALL(cudaGraphAddNode, (SIMT_NEW_NODE, cudaGraphNodeParams *params),
          cudaGraphAddNode(node, graph, after, nullptr, count, params))
/* Before CUDA 12 it told the node and the reason apart. */
static inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                              cudaGraphNode_t *, cudaGraphExecUpdateResult *result)
{
    cudaGraphExecUpdateResultInfo info;
    cudaError_t error = cudaGraphExecUpdate(exec, graph, &info);
    *result = info.result;
    return error;
}
static inline void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned value)
{
    simt_graph_set_conditional(handle, value);
}
SIMT_CALL(cudaEventCreate, (cudaEvent_t * event, unsigned flags),
          cudaEventCreateWithFlags(event, flags))
/* All memory is one: there is nothing to advise, to attach, or to move beforehand. */
#define SIMT_NOTHING(NAME, ...)                                                                    \
    template <class... _A> cudaError_t NAME(__VA_ARGS__, _A...) { return cudaSuccess; }
SIMT_NOTHING(cudaMemAdvise, const void *, size_t, cudaMemoryAdvise)
SIMT_NOTHING(cudaStreamAttachMemAsync, cudaStream_t)
SIMT_NOTHING(cudaMemPrefetchAsync, const void *, size_t)

/* __device__ and __constant__ variables are the program's own variables. */
static inline cudaError_t simt_copy_symbol(size_t room, void *to, const void *from, size_t bytes,
                                           size_t offset)
{
    if (offset > room || bytes > room - offset)
        return simt_error(cudaErrorInvalidValue);
    simt_copy(to, from, bytes);
    return cudaSuccess;
}
#define SIMT_SYMBOL_COPIES(SUFFIX, ...)                                                            \
    template <class T>                                                                             \
    cudaError_t cudaMemcpyToSymbol##SUFFIX(T &symbol, const void *from, size_t bytes,              \
                                           size_t offset = 0, __VA_ARGS__)                         \
    {                                                                                              \
        return simt_copy_symbol(sizeof symbol, (char *)&symbol + offset, from, bytes, offset);     \
    }                                                                                              \
    template <class T>                                                                             \
    cudaError_t cudaMemcpyFromSymbol##SUFFIX(void *to, const T &symbol, size_t bytes,              \
                                             size_t offset = 0, __VA_ARGS__)                       \
    {                                                                                              \
        return simt_copy_symbol(sizeof symbol, to, (const char *)&symbol + offset, bytes, offset); \
    }
SIMT_SYMBOL_COPIES(, cudaMemcpyKind = cudaMemcpyDefault)
SIMT_SYMBOL_COPIES(Async, cudaMemcpyKind = cudaMemcpyDefault, cudaStream_t = 0)
template <class T> cudaError_t cudaGetSymbolSize(size_t *bytes, const T &)
{
    *bytes = sizeof(T);
    return cudaSuccess;
}
template <class T> cudaError_t cudaGetSymbolAddress(void **address, T &symbol)
{
    *address = (void *)&symbol;
    return simt_symbol(*address, sizeof symbol);
}
template <class _P, class T> cudaError_t cudaGetSymbolAddress(_P **address, T &symbol)
{
    return cudaGetSymbolAddress((void **)address, symbol);
}

#include "device_atomic_functions.h"
#include "device_functions.h"
#include "simt_simd.h"
#include "simt_texture.h"

#endif
