/*
 * device_atomic_functions.h: atomics. Fibres share one host thread, so a plain read,
 * change, write is atomic. Kept out of the instrumentation: an atomic is not a load
 * and a store.
 */
#ifndef SIMT_DEVICE_ATOMIC_FUNCTIONS_H
#define SIMT_DEVICE_ATOMIC_FUNCTIONS_H

#include "cuda_runtime.h"

#ifdef __clang__
#define SIMT_UNSEEN __attribute__((no_sanitize("thread", "coverage")))
#else
#define SIMT_UNSEEN __attribute__((no_sanitize("thread"), no_sanitize_coverage))
#endif

/* reads: does it matter what was there? */
template <class T, class F>
__attribute__((noinline)) SIMT_UNSEEN T simt_atomic(T *p, F change, bool reads = true)
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
#define SIMT_ATOMIC(NAME, T, EXPRESSION)                                                           \
    SIMT_ATOMIC_AS(NAME, T, EXPRESSION, )                                                          \
    SIMT_ATOMIC_AS(NAME##_block, T, EXPRESSION, simt_atomic_scope(SIMT_OF_THE_BLOCK);)             \
    SIMT_ATOMIC_AS(NAME##_system, T, EXPRESSION, simt_atomic_scope(SIMT_OF_THE_SYSTEM);)
#define SIMT_ATOMIC_AS(NAME, T, EXPRESSION, SCOPE)                                                 \
    SIMT_INLINE T NAME(T *p, T x)                                                                  \
    {                                                                                              \
        SCOPE                                                                                      \
        return simt_atomic(p, [=](T old) SIMT_UNSEEN -> T { return EXPRESSION; });                 \
    }
#define SIMT_ATOMIC_INTEGERS(NAME, EXPRESSION)                                                     \
    SIMT_ATOMIC(NAME, int, EXPRESSION)                                                             \
    SIMT_ATOMIC(NAME, unsigned, EXPRESSION)                                                        \
    SIMT_ATOMIC(NAME, unsigned long long, EXPRESSION)
SIMT_ATOMIC_INTEGERS(atomicAdd, old + x)
SIMT_ATOMIC(atomicAdd, float, simt_atomic_sum(p, old, x))
SIMT_ATOMIC(atomicAdd, double, old + x)
SIMT_ATOMIC(atomicSub, int, old - x)
SIMT_ATOMIC(atomicSub, unsigned, old - x)
SIMT_ATOMIC_INTEGERS(atomicMin, old < x ? old : x)
SIMT_ATOMIC(atomicMin, long long, old < x ? old : x)
SIMT_ATOMIC_INTEGERS(atomicMax, old > x ? old : x)
SIMT_ATOMIC(atomicMax, long long, old > x ? old : x)
SIMT_ATOMIC_INTEGERS(atomicAnd, old &x)
SIMT_ATOMIC_INTEGERS(atomicOr, old | x)
SIMT_ATOMIC_INTEGERS(atomicXor, old ^ x)
SIMT_ATOMIC(atomicInc, unsigned, old >= x ? 0 : old + 1)
SIMT_ATOMIC(atomicDec, unsigned, old == 0 || old > x ? x : old - 1)
#undef SIMT_ATOMIC_INTEGERS
#undef SIMT_ATOMIC
#undef SIMT_ATOMIC_AS

#define SIMT_EXCHANGE(T)                                                                           \
    SIMT_EXCHANGE_AS(atomicExch, T, )                                                              \
    SIMT_EXCHANGE_AS(atomicExch_block, T, simt_atomic_scope(SIMT_OF_THE_BLOCK);)                   \
    SIMT_EXCHANGE_AS(atomicExch_system, T, simt_atomic_scope(SIMT_OF_THE_SYSTEM);)
#define SIMT_EXCHANGE_AS(NAME, T, SCOPE)                                                           \
    SIMT_INLINE T NAME(T *p, T x)                                                                  \
    {                                                                                              \
        SCOPE                                                                                      \
        return simt_atomic(                                                                        \
            p, [=](T) SIMT_UNSEEN -> T { return x; }, false);                                      \
    }
SIMT_EXCHANGE(int)
SIMT_EXCHANGE(unsigned)
SIMT_EXCHANGE(unsigned long long)
SIMT_EXCHANGE(float)
#undef SIMT_EXCHANGE
#undef SIMT_EXCHANGE_AS

#define SIMT_CAS(T)                                                                                \
    SIMT_CAS_AS(atomicCAS, T, )                                                                    \
    SIMT_CAS_AS(atomicCAS_block, T, simt_atomic_scope(SIMT_OF_THE_BLOCK);)                         \
    SIMT_CAS_AS(atomicCAS_system, T, simt_atomic_scope(SIMT_OF_THE_SYSTEM);)
#define SIMT_CAS_AS(NAME, T, SCOPE)                                                                \
    SIMT_INLINE T NAME(T *p, T expected, T x)                                                      \
    {                                                                                              \
        SCOPE                                                                                      \
        simt_atomic_compares(p);                                                                   \
        return simt_atomic(p, [=](T old) SIMT_UNSEEN -> T { return old == expected ? x : old; });  \
    }
SIMT_CAS(int)
SIMT_CAS(unsigned)
SIMT_CAS(unsigned long long)
SIMT_CAS(unsigned short)
#undef SIMT_CAS
#undef SIMT_CAS_AS

#endif
