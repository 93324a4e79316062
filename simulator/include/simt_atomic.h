/* simt_atomic.h: cuda::atomic and cuda::atomic_ref, and cuda::std's, which are those of the whole
   system. They are the compiler's own atomics, which ../atomics.c sees. */
#pragma once

#include "cuda_runtime.h"
#include <atomic>

namespace cuda
{
enum thread_scope {
    thread_scope_system,
    thread_scope_device,
    thread_scope_block,
    thread_scope_thread
};

#define SIMT_ORDERS                                                                                \
    using ::std::memory_order;                                                                     \
    using ::std::memory_order_acq_rel;                                                             \
    using ::std::memory_order_acquire;                                                             \
    using ::std::memory_order_consume;                                                             \
    using ::std::memory_order_relaxed;                                                             \
    using ::std::memory_order_release;                                                             \
    using ::std::memory_order_seq_cst;
namespace std
{
SIMT_ORDERS
}
SIMT_ORDERS

static SIMT_METHOD constexpr simt_scope simt_scope_of(thread_scope scope)
{
    return scope == thread_scope_system   ? SIMT_OF_THE_SYSTEM
           : scope == thread_scope_device ? SIMT_OF_THE_DEVICE
                                          : SIMT_OF_THE_BLOCK;
}

/* What both kinds do, to the T at `p`. */
template <class T, thread_scope _SCOPE> struct simt_atomic_operations {
    static_assert(sizeof(T) <= 8 && (sizeof(T) & (sizeof(T) - 1)) == 0,
                  "atomics are of 1, 2, 4 or 8 bytes");
    using bits = ::std::conditional_t<
        sizeof(T) == 1, uint8_t,
        ::std::conditional_t<sizeof(T) == 2, uint16_t,
                             ::std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>>;
    static SIMT_METHOD void narrow()
    {
        if (simt_runs_kernel())
            simt_atomic_scope(simt_scope_of(_SCOPE));
    }
    static SIMT_METHOD bits bits_of(T value)
    {
        bits result;
        __builtin_memcpy(&result, &value, sizeof result);
        return result;
    }
    static SIMT_METHOD T value_of(bits value)
    {
        T result;
        __builtin_memcpy((void *)&result, &value, sizeof result);
        return result;
    }
    static SIMT_METHOD int order_of(memory_order order) { return (int)order; }
    /* Of a failed compare-and-swap: nothing is released. */
    static SIMT_METHOD int weaker(int order)
    {
        return order == __ATOMIC_ACQ_REL   ? __ATOMIC_ACQUIRE
               : order == __ATOMIC_RELEASE ? __ATOMIC_RELAXED
                                           : order;
    }
    static SIMT_METHOD T load(const T *p, int order)
    {
        narrow();
        return value_of(__atomic_load_n((const bits *)p, order));
    }
    static SIMT_METHOD void store(T *p, T value, int order)
    {
        narrow();
        __atomic_store_n((bits *)p, bits_of(value), order);
    }
    static SIMT_METHOD T exchange(T *p, T value, int order)
    {
        narrow();
        return value_of(__atomic_exchange_n((bits *)p, bits_of(value), order));
    }
    static SIMT_METHOD bool compare_exchange(T *p, T &expected, T value, int order, int failure)
    {
        bits old = bits_of(expected);
        narrow();
        bool done =
            __atomic_compare_exchange_n((bits *)p, &old, bits_of(value), false, order, failure);
        if (!done)
            expected = value_of(old);
        return done;
    }
    template <class _F> static SIMT_METHOD T change(T *p, int order, _F next)
    {
        T old = load(p, __ATOMIC_RELAXED);
        while (!compare_exchange(p, old, next(old), order, weaker(order)))
            ;
        return old;
    }
    static SIMT_METHOD T sum(const T *p, T old, T value)
    {
        if constexpr (::std::is_same<T, float>::value)
            return simt_atomic_sum(p, old, value);
        else
            return old + value;
    }
    /* Whole numbers by one operation, others by compare and swap. */
#define SIMT_SUM(NAME, SIGN)                                                                       \
    template <class _D> static SIMT_METHOD T NAME(T *p, _D value, int order)                       \
    {                                                                                              \
        if constexpr (::std::is_integral<T>::value) {                                              \
            narrow();                                                                              \
            return (T)__atomic_##NAME((bits *)p, (bits)(T)value, order);                           \
        } else {                                                                                   \
            return change(p, order, [=](T old) { return sum(p, old, SIGN value); });               \
        }                                                                                          \
    }
    SIMT_SUM(fetch_add, +)
    SIMT_SUM(fetch_sub, -)
#define SIMT_BITS(NAME)                                                                            \
    static SIMT_METHOD T NAME(T *p, T value, int order)                                            \
    {                                                                                              \
        narrow();                                                                                  \
        return (T)__atomic_##NAME((bits *)p, (bits)value, order);                                  \
    }
    SIMT_BITS(fetch_and)
    SIMT_BITS(fetch_or)
    SIMT_BITS(fetch_xor)
    static SIMT_METHOD T fetch_min(T *p, T value, int order)
    {
        return change(p, order, [=](T old) { return value < old ? value : old; });
    }
    static SIMT_METHOD T fetch_max(T *p, T value, int order)
    {
        return change(p, order, [=](T old) { return old < value ? value : old; });
    }
};

/* The same with the standard's names; PLACE gives a T *. CONST: atomic_ref's methods are const. */
#define SIMT_ATOMIC_METHODS(PLACE, CONST)                                                          \
    using value_type = T;                                                                          \
    using difference_type = ::std::conditional_t<::std::is_pointer<T>::value, ptrdiff_t, T>;       \
    static constexpr bool is_always_lock_free = true;                                              \
    SIMT_METHOD bool is_lock_free() const { return true; }                                         \
    SIMT_METHOD T load(memory_order order = memory_order_seq_cst) const                            \
    {                                                                                              \
        return operations::load(PLACE, operations::order_of(order));                               \
    }                                                                                              \
    SIMT_METHOD operator T() const { return load(); }                                              \
    SIMT_METHOD void store(T value, memory_order order = memory_order_seq_cst) CONST               \
    {                                                                                              \
        operations::store(PLACE, value, operations::order_of(order));                              \
    }                                                                                              \
    SIMT_METHOD T operator=(T value) CONST                                                         \
    {                                                                                              \
        store(value);                                                                              \
        return value;                                                                              \
    }                                                                                              \
    SIMT_METHOD T exchange(T value, memory_order order = memory_order_seq_cst) CONST               \
    {                                                                                              \
        return operations::exchange(PLACE, value, operations::order_of(order));                    \
    }                                                                                              \
    SIMT_COMPARE(compare_exchange_strong, PLACE, CONST)                                            \
    SIMT_COMPARE(compare_exchange_weak, PLACE, CONST)                                              \
    SIMT_CHANGE(fetch_add, difference_type, PLACE, CONST)                                          \
    SIMT_CHANGE(fetch_sub, difference_type, PLACE, CONST)                                          \
    SIMT_CHANGE(fetch_and, T, PLACE, CONST)                                                        \
    SIMT_CHANGE(fetch_or, T, PLACE, CONST)                                                         \
    SIMT_CHANGE(fetch_xor, T, PLACE, CONST)                                                        \
    SIMT_CHANGE(fetch_min, T, PLACE, CONST)                                                        \
    SIMT_CHANGE(fetch_max, T, PLACE, CONST)                                                        \
    SIMT_METHOD T operator++(int) CONST { return fetch_add(1); }                                   \
    SIMT_METHOD T operator--(int) CONST { return fetch_sub(1); }                                   \
    SIMT_METHOD T operator++() CONST { return fetch_add(1) + 1; }                                  \
    SIMT_METHOD T operator--() CONST { return fetch_sub(1) - 1; }                                  \
    SIMT_METHOD T operator+=(difference_type x) CONST { return fetch_add(x) + x; }                 \
    SIMT_METHOD T operator-=(difference_type x) CONST { return fetch_sub(x) - x; }                 \
    SIMT_METHOD T operator&=(T x) CONST { return fetch_and(x) & x; }                               \
    SIMT_METHOD T operator|=(T x) CONST { return fetch_or(x) | x; }                                \
    SIMT_METHOD T operator^=(T x) CONST { return fetch_xor(x) ^ x; }                               \
    SIMT_METHOD void wait(T old, memory_order order = memory_order_seq_cst) const                  \
    {                                                                                              \
        while (load(order) == old)                                                                 \
            ;                                                                                      \
    }                                                                                              \
    SIMT_METHOD void notify_one() CONST {}                                                         \
    SIMT_METHOD void notify_all() CONST {}
#define SIMT_COMPARE(NAME, PLACE, CONST)                                                           \
    SIMT_METHOD bool NAME(T &expected, T value, memory_order order, memory_order failure) CONST    \
    {                                                                                              \
        return operations::compare_exchange(PLACE, expected, value, operations::order_of(order),   \
                                            operations::order_of(failure));                        \
    }                                                                                              \
    SIMT_METHOD bool NAME(T &expected, T value, memory_order order = memory_order_seq_cst) CONST   \
    {                                                                                              \
        int o = operations::order_of(order);                                                       \
        return operations::compare_exchange(PLACE, expected, value, o, operations::weaker(o));     \
    }
#define SIMT_CHANGE(NAME, D, PLACE, CONST)                                                         \
    SIMT_METHOD T NAME(D value, memory_order order = memory_order_seq_cst) CONST                   \
    {                                                                                              \
        return operations::NAME(PLACE, value, operations::order_of(order));                        \
    }

template <class T, thread_scope _SCOPE = thread_scope_system> struct atomic {
    using operations = simt_atomic_operations<T, _SCOPE>;
    alignas(sizeof(T)) T simt_value_;
    SIMT_METHOD atomic() = default;
    SIMT_METHOD constexpr atomic(T value) : simt_value_(value) {}
    atomic(const atomic &) = delete;
    atomic &operator=(const atomic &) = delete;
    SIMT_ATOMIC_METHODS(const_cast<T *>(&simt_value_), )
};
template <class T, thread_scope _SCOPE = thread_scope_system> struct atomic_ref {
    using operations = simt_atomic_operations<T, _SCOPE>;
    T *simt_place_;
    SIMT_METHOD explicit atomic_ref(T &place) : simt_place_(&place) {}
    SIMT_METHOD atomic_ref(const atomic_ref &) = default;
    atomic_ref &operator=(const atomic_ref &) = delete;
    SIMT_ATOMIC_METHODS(simt_place_, const)
};
#undef SIMT_COMPARE

SIMT_METHOD void atomic_thread_fence(memory_order order, thread_scope scope = thread_scope_system)
{
    if (order == memory_order_relaxed)
        return;
    if (simt_runs_kernel())
        (order == memory_order_seq_cst ? simt_fence : simt_fence_acq_rel)(simt_scope_of(scope));
    else
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

namespace std
{
template <class T> using atomic = ::cuda::atomic<T, thread_scope_system>;
template <class T> using atomic_ref = ::cuda::atomic_ref<T, thread_scope_system>;
using atomic_int = atomic<int>;
using atomic_uint = atomic<unsigned>;
using ::cuda::atomic_thread_fence;
} // namespace std
} // namespace cuda
