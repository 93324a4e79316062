/*
 * cuda_runtime.h: CUDA C++ as the lessons use it, for an ordinary compiler. The
 * words of the language become macros and templates here; what they do is in
 * ../engine.c (threads, barriers, warps) and ../api.c (memory, devices).
 * ../simcc rewrites the two things that C++ cannot parse before this is read.
 */
#ifndef SIMT_CUDA_RUNTIME_H
#define SIMT_CUDA_RUNTIME_H

#include "cuda_runtime_api.h"

#ifdef __cplusplus
#include "simt_device.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <tuple>
#include <type_traits>

#define __global__ __attribute__((noinline))
#define __device__
#define __host__
#define __constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
/* One place for the running block's shared memory; the engine swaps what it holds. */
#define __shared__ static __thread

#define threadIdx (simt_thread_idx())
#define blockIdx  (simt_block_idx())
#define blockDim  (simt_block_dim())
#define gridDim   (simt_grid_dim())
static constexpr int warpSize = 32;

/* ---- launches: k<<<g, b, s, st>>>(x, y) arrives here as
   simt_kernel([=](auto... a) { k(a...); })(g, b, s, st).run(x, y) ---- */

template <class F> struct simt_launcher {
    F kernel;
    dim3 grid, block;
    size_t shared;

    simt_launcher &operator()(dim3 g, dim3 b, size_t bytes = 0, cudaStream_t = nullptr)
    {
        grid = g, block = b, shared = bytes;
        return *this;
    }
    template <class... A> void run(A... arguments)
    {
        struct closure {
            F kernel;
            std::tuple<A...> arguments;
        } c = {kernel, std::tuple<A...>(arguments...)};
        simt_launch_grid(
            grid, block, shared, false,
            [](const void *p) {
                const closure *c = (const closure *)p;
                std::apply(c->kernel, c->arguments);
            },
            &c, sizeof c);
    }
};

template <class F> simt_launcher<F> simt_kernel(F kernel)
{
    return {kernel, {}, {}, 0};
}

template <class... P>
cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(P...), dim3 grid, dim3 block,
                                        void **arguments, size_t shared = 0, cudaStream_t = nullptr)
{
    struct closure {
        void (*kernel)(P...);
        std::tuple<P...> arguments;
    };
    size_t i = 0;
    closure c = {kernel, std::tuple<P...>{*(P *)arguments[i++]...}};
    return simt_launch_grid(
        grid, block, shared, true,
        [](const void *p) {
            const closure *c = (const closure *)p;
            std::apply(c->kernel, c->arguments);
        },
        &c, sizeof c);
}

template <class K>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, K, int block, size_t shared)
{
    *blocks = simt_blocks_per_sm(block, shared);
    return cudaSuccess;
}

template <class K> cudaError_t cudaFuncSetAttribute(K, cudaFuncAttribute, int)
{
    return cudaSuccess; /* the simulated SM gives every kernel all its shared memory */
}

template <class T> cudaError_t cudaMalloc(T **pointer, size_t bytes)
{
    return cudaMalloc((void **)pointer, bytes);
}
template <class T> cudaError_t cudaMallocHost(T **pointer, size_t bytes)
{
    return cudaMallocHost((void **)pointer, bytes);
}
template <class T> cudaError_t cudaMallocManaged(T **pointer, size_t bytes, unsigned flags = 1)
{
    return cudaMallocManaged((void **)pointer, bytes, flags);
}
template <class T>
cudaError_t cudaMemcpyToSymbol(T &symbol, const void *from, size_t bytes, size_t offset = 0,
                               cudaMemcpyKind = cudaMemcpyHostToDevice)
{
    memcpy((char *)&symbol + offset, from, bytes);
    return cudaSuccess;
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                 cudaMemcpyKind = cudaMemcpyDeviceToHost)
{
    memcpy(to, (const char *)&symbol + offset, bytes);
    return cudaSuccess;
}

/* ---- barriers and fences ---- */

static __forceinline__ void __syncthreads()
{
    simt_block_barrier(0);
}
static __forceinline__ int __syncthreads_count(int predicate)
{
    return simt_block_barrier(predicate != 0);
}
static __forceinline__ int __syncthreads_or(int predicate)
{
    return simt_block_barrier(predicate != 0) > 0;
}
static __forceinline__ int __syncthreads_and(int predicate)
{
    return simt_block_barrier(predicate == 0) == 0;
}
static __forceinline__ void __syncwarp(unsigned mask = 0xffffffffu)
{
    simt_warp_op(SIMT_SYNC, mask, 0, 0, 32);
}
/* One host thread runs everything, so memory is always in order: a fence has nothing
   to do but say what it makes known (race.c), and a call keeps accesses on their side. */
static __forceinline__ void __threadfence()
{
    simt_fence(false);
}
static __forceinline__ void __threadfence_block()
{
    simt_fence(true);
}
static __forceinline__ void __nanosleep(unsigned)
{
    simt_yield();
}
static __forceinline__ long long clock64()
{
    return simt_clock();
}

/* ---- warp primitives ---- */

template <class T> static __forceinline__ uint64_t simt_bits(T value)
{
    static_assert(sizeof(T) == 4 || sizeof(T) == 8,
                  "shuffles and matches take 4- and 8-byte types");
    uint64_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof value);
    return bits;
}
template <class T> static __forceinline__ T simt_value(uint64_t bits)
{
    T value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

#define SIMT_SHUFFLE(NAME, OP, ARGUMENT)                                                           \
    template <class T>                                                                             \
    static __forceinline__ T NAME(unsigned mask, T value, ARGUMENT argument, int width = 32)       \
    {                                                                                              \
        return simt_value<T>(                                                                      \
            simt_warp_op(OP, mask, simt_bits(value), (unsigned)argument, (unsigned)width));        \
    }
SIMT_SHUFFLE(__shfl_sync, SIMT_SHFL, int)
SIMT_SHUFFLE(__shfl_up_sync, SIMT_SHFL_UP, unsigned)
SIMT_SHUFFLE(__shfl_down_sync, SIMT_SHFL_DOWN, unsigned)
SIMT_SHUFFLE(__shfl_xor_sync, SIMT_SHFL_XOR, int)
#undef SIMT_SHUFFLE

static __forceinline__ int __any_sync(unsigned mask, int predicate)
{
    return (int)simt_warp_op(SIMT_ANY, mask, predicate != 0, 0, 32);
}
static __forceinline__ int __all_sync(unsigned mask, int predicate)
{
    return (int)simt_warp_op(SIMT_ALL, mask, predicate != 0, 0, 32);
}
static __forceinline__ unsigned __ballot_sync(unsigned mask, int predicate)
{
    return (unsigned)simt_warp_op(SIMT_BALLOT, mask, predicate != 0, 0, 32);
}
template <class T> static __forceinline__ unsigned __match_any_sync(unsigned mask, T value)
{
    return (unsigned)simt_warp_op(SIMT_MATCH_ANY, mask, simt_bits(value), 0, 32);
}
template <class T>
static __forceinline__ unsigned __match_all_sync(unsigned mask, T value, int *all_equal)
{
    unsigned lanes = (unsigned)simt_warp_op(SIMT_MATCH_ALL, mask, simt_bits(value), 0, 32);
    *all_equal = lanes != 0;
    return lanes;
}
static __forceinline__ unsigned __activemask()
{
    return simt_active_mask();
}

#define SIMT_REDUCE(NAME, OP, T)                                                                   \
    static __forceinline__ T NAME(unsigned mask, T value)                                          \
    {                                                                                              \
        return (T)simt_warp_op(OP, mask, (uint64_t)(unsigned)value, 0, 32);                        \
    }
SIMT_REDUCE(__reduce_add_sync, SIMT_REDUCE_ADD, int)
SIMT_REDUCE(__reduce_add_sync, SIMT_REDUCE_ADD, unsigned)
SIMT_REDUCE(__reduce_min_sync, SIMT_REDUCE_MIN, int)
SIMT_REDUCE(__reduce_min_sync, SIMT_REDUCE_MIN_UNSIGNED, unsigned)
SIMT_REDUCE(__reduce_max_sync, SIMT_REDUCE_MAX, int)
SIMT_REDUCE(__reduce_max_sync, SIMT_REDUCE_MAX_UNSIGNED, unsigned)
SIMT_REDUCE(__reduce_and_sync, SIMT_REDUCE_AND, unsigned)
SIMT_REDUCE(__reduce_or_sync, SIMT_REDUCE_OR, unsigned)
SIMT_REDUCE(__reduce_xor_sync, SIMT_REDUCE_XOR, unsigned)
#undef SIMT_REDUCE

/* ---- atomics: fibres share one host thread, so a plain read, change, write is atomic.
   Kept out of the instrumentation: an atomic is not a load and a store. ---- */

template <class T, class F>
__attribute__((noinline, no_sanitize("thread"), no_sanitize_coverage)) T simt_atomic(T *p, F change)
{
    simt_atomic_begin(p, sizeof *p, __builtin_return_address(0));
    T old = *p;
    T now = change(old);
    bool changed = memcmp(&old, &now, sizeof now) != 0;
    *p = now;
    simt_atomic_end(changed);
    return old;
}

#define SIMT_ATOMIC(NAME, T, EXPRESSION)                                                           \
    static __forceinline__ T NAME(T *p, T x)                                                       \
    {                                                                                              \
        return simt_atomic(                                                                        \
            p, [=](T old) __attribute__((no_sanitize_coverage))->T { return EXPRESSION; });        \
    }
#define SIMT_ATOMIC_INTEGERS(NAME, EXPRESSION)                                                     \
    SIMT_ATOMIC(NAME, int, EXPRESSION)                                                             \
    SIMT_ATOMIC(NAME, unsigned, EXPRESSION)                                                        \
    SIMT_ATOMIC(NAME, unsigned long long, EXPRESSION)
SIMT_ATOMIC_INTEGERS(atomicAdd, old + x)
SIMT_ATOMIC(atomicAdd, float, old + x)
SIMT_ATOMIC(atomicAdd, double, old + x)
SIMT_ATOMIC(atomicSub, int, old - x)
SIMT_ATOMIC(atomicSub, unsigned, old - x)
SIMT_ATOMIC_INTEGERS(atomicExch, (void(old), x))
SIMT_ATOMIC(atomicExch, float, (void(old), x))
SIMT_ATOMIC_INTEGERS(atomicMin, old < x ? old : x)
SIMT_ATOMIC_INTEGERS(atomicMax, old > x ? old : x)
SIMT_ATOMIC_INTEGERS(atomicAnd, old &x)
SIMT_ATOMIC_INTEGERS(atomicOr, old | x)
SIMT_ATOMIC_INTEGERS(atomicXor, old ^ x)
SIMT_ATOMIC(atomicInc, unsigned, old >= x ? 0 : old + 1)
SIMT_ATOMIC(atomicDec, unsigned, old == 0 || old > x ? x : old - 1)
#undef SIMT_ATOMIC_INTEGERS
#undef SIMT_ATOMIC

#define SIMT_CAS(T)                                                                                \
    static __forceinline__ T atomicCAS(T *p, T expected, T x)                                      \
    {                                                                                              \
        return simt_atomic(                                                                        \
            p, [=](T old) __attribute__((no_sanitize_coverage))->T {                               \
                return old == expected ? x : old;                                                  \
            });                                                                                    \
    }
SIMT_CAS(int)
SIMT_CAS(unsigned)
SIMT_CAS(unsigned long long)
#undef SIMT_CAS

/* ---- arithmetic that CUDA has and C++ has not ---- */

static __forceinline__ int __popc(unsigned x)
{
    return __builtin_popcount(x);
}
static __forceinline__ int __ffs(int x)
{
    return __builtin_ffs(x);
}
static __forceinline__ int __clz(int x)
{
    return x == 0 ? 32 : __builtin_clz((unsigned)x);
}
static __forceinline__ float __int_as_float(int x)
{
    return simt_value<float>((unsigned)x);
}
static __forceinline__ int __float_as_int(float x)
{
    return (int)simt_bits(x);
}
static __forceinline__ float __uint_as_float(unsigned x)
{
    return simt_value<float>(x);
}
static __forceinline__ unsigned __float_as_uint(float x)
{
    return (unsigned)simt_bits(x);
}
static __forceinline__ float rsqrtf(float x)
{
    return 1.0f / sqrtf(x);
}
template <class T> static __forceinline__ T __ldg(const T *p)
{
    return *p;
}
template <class A, class B> static constexpr std::common_type_t<A, B> min(A a, B b)
{
    return b < a ? b : a;
}
template <class A, class B> static constexpr std::common_type_t<A, B> max(A a, B b)
{
    return a < b ? b : a;
}

#endif
#endif
