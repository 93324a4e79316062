/* device_atomic_functions.h: atomics. Fibres share one host thread, so a plain read, change, write
   is atomic. Kept out of the instrumentation: an atomic is not a load and a store. */
#pragma once

#include "cuda_runtime.h"

#ifdef __clang__
#define SIMT_UNSEEN __attribute__((no_sanitize("thread", "coverage")))
#else
#define SIMT_UNSEEN __attribute__((no_sanitize("thread", "kernel-address"), no_sanitize_coverage))
#endif

/* return x; of a variable whose class says nothing of copying (rewrite.c): the last one. */
template <class T> struct simt_variable {
    static const T *last;
};
template <class T> const T *simt_variable<T>::last;
template <class T> SIMT_UNSEEN T &&simt_returned(T &x)
{
    simt_variable<T>::last = &x;
    return (T &&) x;
}
template <class T> SIMT_UNSEEN bool simt_was_returned(const T *x)
{
    return simt_variable<T>::last == x && !(simt_variable<T>::last = nullptr);
}

/* reads: does it matter what was there? */
template <class T, class _F>
__attribute__((noinline)) SIMT_UNSEEN T simt_atomic(T *p, _F change, bool reads = true)
{
    simt_atomic_begin(p, sizeof *p, true, reads, __builtin_return_address(0));
    T old, now; /* not by their constructors, which the simulator would see */
    __builtin_memcpy((void *)&old, p, sizeof old);
    now = change(old);
    bool changed = memcmp(&old, &now, sizeof now) != 0;
    __builtin_memcpy((void *)p, &now, sizeof now);
    simt_atomic_end(changed);
    return old;
}

/* Each also with _block, atomic for its block alone, and _system, for all devices. */
#define SIMT_SCOPES(AS, NAME, ...)                                                                 \
    AS(NAME, , __VA_ARGS__)                                                                        \
    AS(NAME##_block, simt_atomic_scope(SIMT_OF_THE_BLOCK), __VA_ARGS__)                            \
    AS(NAME##_system, simt_atomic_scope(SIMT_OF_THE_SYSTEM), __VA_ARGS__)
#define SIMT_ATOMIC_AS(NAME, SCOPE, T, EXPRESSION)                                                 \
    SIMT_INLINE T NAME(T *p, T x)                                                                  \
    {                                                                                              \
        SCOPE;                                                                                     \
        return simt_atomic(p, [=](T old) SIMT_UNSEEN -> T { return EXPRESSION; });                 \
    }
#define SIMT_ATOMIC(NAME, T, EXPRESSION) SIMT_SCOPES(SIMT_ATOMIC_AS, NAME, T, EXPRESSION)
#define SIMT_ATOMIC_ONE_WAY(NAME, T, EXPRESSION)                                                   \
    SIMT_ATOMIC_AS(NAME, simt_atomic_one_way(), T, EXPRESSION)                                     \
    SIMT_ATOMIC_AS(NAME##_block, simt_atomic_scope(SIMT_OF_THE_BLOCK), T, EXPRESSION)              \
    SIMT_ATOMIC_AS(NAME##_system, simt_atomic_one_way();                                           \
                   simt_atomic_scope(SIMT_OF_THE_SYSTEM), T, EXPRESSION)
#define SIMT_ATOMIC_INTEGERS(NAME, EXPRESSION, ...)                                                \
    SIMT_ATOMIC##__VA_ARGS__(NAME, int, EXPRESSION)                                                \
        SIMT_ATOMIC##__VA_ARGS__(NAME, unsigned, EXPRESSION)                                       \
            SIMT_ATOMIC##__VA_ARGS__(NAME, unsigned long long, EXPRESSION)
SIMT_ATOMIC_INTEGERS(atomicAdd, old + x)
SIMT_ATOMIC(atomicAdd, float, simt_atomic_sum(p, old, x))
SIMT_ATOMIC(atomicAdd, double, old + x)
/* Each element by itself, as the Programming Guide has it. */
#define SIMT_ATOMIC_VECTORS(NAME)                                                                  \
    SIMT_INLINE float2 NAME(float2 *p, float2 x)                                                   \
    {                                                                                              \
        return float2{NAME(&p->x, x.x), NAME(&p->y, x.y)};                                         \
    }                                                                                              \
    SIMT_INLINE float4 NAME(float4 *p, float4 x)                                                   \
    {                                                                                              \
        return float4{NAME(&p->x, x.x), NAME(&p->y, x.y), NAME(&p->z, x.z), NAME(&p->w, x.w)};     \
    }
SIMT_ATOMIC_VECTORS(atomicAdd)
SIMT_ATOMIC_VECTORS(atomicAdd_block)
SIMT_ATOMIC_VECTORS(atomicAdd_system)
SIMT_ATOMIC(atomicSub, int, old - x)
SIMT_ATOMIC(atomicSub, unsigned, old - x)
SIMT_ATOMIC_INTEGERS(atomicMin, old < x ? old : x, _ONE_WAY)
SIMT_ATOMIC_ONE_WAY(atomicMin, long long, old < x ? old : x)
SIMT_ATOMIC_INTEGERS(atomicMax, old > x ? old : x, _ONE_WAY)
SIMT_ATOMIC_ONE_WAY(atomicMax, long long, old > x ? old : x)
SIMT_ATOMIC_INTEGERS(atomicAnd, old &x, _ONE_WAY)
SIMT_ATOMIC_INTEGERS(atomicOr, old | x, _ONE_WAY)
SIMT_ATOMIC_INTEGERS(atomicXor, old ^ x)
SIMT_ATOMIC(atomicInc, unsigned, old >= x ? 0 : old + 1)
SIMT_ATOMIC(atomicDec, unsigned, old == 0 || old > x ? x : old - 1)
#define SIMT_EXCHANGE(NAME, SCOPE, T)                                                              \
    SIMT_INLINE T NAME(T *p, T x)                                                                  \
    {                                                                                              \
        SCOPE;                                                                                     \
        return simt_atomic(                                                                        \
            p, [=](T) SIMT_UNSEEN -> T { return x; }, false);                                      \
    }
SIMT_SCOPES(SIMT_EXCHANGE, atomicExch, int)
SIMT_SCOPES(SIMT_EXCHANGE, atomicExch, unsigned)
SIMT_SCOPES(SIMT_EXCHANGE, atomicExch, unsigned long long)
SIMT_SCOPES(SIMT_EXCHANGE, atomicExch, float)
#define SIMT_CAS(NAME, SCOPE, T)                                                                   \
    SIMT_INLINE T NAME(T *p, T expected, T x)                                                      \
    {                                                                                              \
        SCOPE;                                                                                     \
        simt_atomic_compares(p);                                                                   \
        return simt_atomic(p, [=](T old) SIMT_UNSEEN -> T { return old == expected ? x : old; });  \
    }
SIMT_SCOPES(SIMT_CAS, atomicCAS, int)
SIMT_SCOPES(SIMT_CAS, atomicCAS, unsigned)
SIMT_SCOPES(SIMT_CAS, atomicCAS, unsigned long long)
SIMT_SCOPES(SIMT_CAS, atomicCAS, unsigned short)

/* ---- the atomics that name an order and a scope ---- */

enum {
    __NV_ATOMIC_RELAXED = __ATOMIC_RELAXED,
    __NV_ATOMIC_CONSUME = __ATOMIC_CONSUME,
    __NV_ATOMIC_ACQUIRE = __ATOMIC_ACQUIRE,
    __NV_ATOMIC_RELEASE = __ATOMIC_RELEASE,
    __NV_ATOMIC_ACQ_REL = __ATOMIC_ACQ_REL,
    __NV_ATOMIC_SEQ_CST = __ATOMIC_SEQ_CST,
    __NV_THREAD_SCOPE_THREAD = 0,
    __NV_THREAD_SCOPE_BLOCK,
    __NV_THREAD_SCOPE_CLUSTER,
    __NV_THREAD_SCOPE_DEVICE,
    __NV_THREAD_SCOPE_SYSTEM,
};
SIMT_INLINE simt_scope simt_nv_scope(int scope)
{
    return scope == __NV_THREAD_SCOPE_SYSTEM    ? SIMT_OF_THE_SYSTEM
           : scope >= __NV_THREAD_SCOPE_CLUSTER ? SIMT_OF_THE_DEVICE
                                                : SIMT_OF_THE_BLOCK;
}
SIMT_INLINE void simt_nv_fence(int order, int scope)
{
    (order == __NV_ATOMIC_SEQ_CST ? simt_fence : simt_fence_acq_rel)(simt_nv_scope(scope));
}
/* A relaxed operation between two fences is what PTX makes of the stronger ones. */
template <class T, class _F>
SIMT_INLINE T simt_nv_atomic(T *p, int order, int scope, _F change, bool reads = true)
{
    if (order >= __NV_ATOMIC_RELEASE)
        simt_nv_fence(order, scope);
    simt_atomic_scope(simt_nv_scope(scope));
    T old = simt_atomic(p, change, reads);
    if (order != __NV_ATOMIC_RELAXED && order != __NV_ATOMIC_RELEASE)
        simt_fence_acq_rel(simt_nv_scope(scope));
    return old;
}
template <class T> SIMT_INLINE T simt_nv_sum(const T *, T old, T x) { return (T)(old + x); }
SIMT_INLINE float simt_nv_sum(const float *p, float old, float x)
{
    return simt_atomic_sum(p, old, x);
}
#define SIMT_NV_ATOMIC(NAME, EXPRESSION)                                                           \
    template <class T, class _X>                                                                   \
    SIMT_INLINE T __nv_atomic_fetch_##NAME(T *p, _X value, int order,                              \
                                           int scope = __NV_THREAD_SCOPE_SYSTEM)                   \
    {                                                                                              \
        T x = (T)value;                                                                            \
        return simt_nv_atomic(p, order, scope,                                                     \
                              [=](T old) SIMT_UNSEEN -> T { return (T)(EXPRESSION); });            \
    }                                                                                              \
    template <class T, class _X>                                                                   \
    SIMT_INLINE void __nv_atomic_##NAME(T *p, _X value, int order,                                 \
                                        int scope = __NV_THREAD_SCOPE_SYSTEM)                      \
    {                                                                                              \
        __nv_atomic_fetch_##NAME(p, value, order, scope);                                          \
    }
SIMT_NV_ATOMIC(add, simt_nv_sum(p, old, x))
SIMT_NV_ATOMIC(sub, simt_nv_sum(p, old, (T)-x))
SIMT_NV_ATOMIC(and, old &x)
SIMT_NV_ATOMIC(or, old | x)
SIMT_NV_ATOMIC(xor, old ^ x)
SIMT_NV_ATOMIC(min, old < x ? old : x)
SIMT_NV_ATOMIC(max, old > x ? old : x)
template <class T>
SIMT_INLINE T __nv_atomic_exchange_n(T *p, std::decay_t<T> x, int order,
                                     int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    return simt_nv_atomic(
        p, order, scope, [=](T) SIMT_UNSEEN -> T { return x; }, false);
}
template <class T>
SIMT_INLINE void __nv_atomic_exchange(T *p, T *x, T *old, int order,
                                      int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    *old = __nv_atomic_exchange_n(p, *x, order, scope);
}
template <class T>
SIMT_INLINE T __nv_atomic_load_n(T *p, int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    simt_atomic_scope(simt_nv_scope(scope));
    T value;
    __atomic_load(p, &value, order);
    return value;
}
template <class T, class _R>
SIMT_INLINE void __nv_atomic_load(T *p, _R *to, int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    *to = __nv_atomic_load_n(p, order, scope);
}
template <class T>
SIMT_INLINE void __nv_atomic_store_n(T *p, std::decay_t<T> x, int order,
                                     int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    simt_atomic_scope(simt_nv_scope(scope));
    __atomic_store(p, &x, order);
}
template <class T>
SIMT_INLINE void __nv_atomic_store(T *p, T *x, int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    __nv_atomic_store_n(p, *x, order, scope);
}
/* weak means nothing, as in CUDA. */
template <class T>
SIMT_INLINE bool __nv_atomic_compare_exchange_n(T *p, T *expected, std::decay_t<T> x, bool,
                                                int order, int failure,
                                                int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    T wanted = *expected;
    simt_atomic_compares(p);
    T old = simt_nv_atomic(p, order > failure ? order : failure, scope,
                           [=](T now) SIMT_UNSEEN -> T { return now == wanted ? x : now; });
    if (old == wanted)
        return true;
    *expected = old;
    return false;
}
template <class T>
SIMT_INLINE bool __nv_atomic_compare_exchange(T *p, T *expected, T *x, bool weak, int order,
                                              int failure, int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    return __nv_atomic_compare_exchange_n(p, expected, *x, weak, order, failure, scope);
}
SIMT_INLINE void __nv_atomic_thread_fence(int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    if (order != __NV_ATOMIC_RELAXED)
        simt_nv_fence(order, scope);
}
