/* atomics.c: the compiler's own atomics, as std::atomic makes them: with -fsanitize=thread each is
   a call of one of these. In a kernel they are the simulator's, between the order's fences. */
#include "access.h"
#include "happens_before.h"
#include "requests.h"
#include "shared_memory.h"
#include <float.h>
#include <math.h>

static void pass(enum simt_scope scope, bool in_order, void *pc)
{
    if (simt_counting)
        requests_note(FENCE, 0, scope, pc);
    hb_fence(scope, in_order);
}

void simt_fence(enum simt_scope scope)
{
    pass(scope, true, __builtin_return_address(0));
}

void simt_fence_acq_rel(enum simt_scope scope)
{
    pass(scope, false, __builtin_return_address(0));
}

static void pass_fence(int order, enum simt_scope scope)
{
    (order == __ATOMIC_SEQ_CST ? simt_fence : simt_fence_acq_rel)(scope);
}

static void begin(volatile void *p, size_t bytes, bool write, bool read, int order, void *pc)
{
    if (!simt_running()) {
        access_host_atomic((const void *)p);
        return;
    }
    enum simt_scope scope = access_scope(SIMT_OF_THE_SYSTEM);
    if (order >= __ATOMIC_RELEASE)
        pass_fence(order, scope);
    simt_atomic_scope(scope);
    if (!write || !read)
        access_atomic_load_or_store();
    simt_atomic_begin((void *)p, bytes, write, read, pc);
}

static void end(bool changed, int order)
{
    if (!simt_running())
        return;
    simt_atomic_end(changed);
    if (order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE)
        simt_fence_acq_rel(access_atomic_scope());
}

#define HERE __builtin_return_address(0)
#define CHANGE(T, BITS, NAME, BUILTIN)                                                             \
    T __tsan_atomic##BITS##_##NAME(volatile T *p, T x, int order)                                  \
    {                                                                                              \
        begin(p, sizeof x, true, true, order, HERE);                                               \
        T old = BUILTIN(p, x, __ATOMIC_SEQ_CST);                                                   \
        end(*p != old, order);                                                                     \
        return old;                                                                                \
    }
#define COMPARE_EXCHANGE(T, BITS, NAME, GIVES, EXPECTED, PLACE, RESULT)                            \
    GIVES __tsan_atomic##BITS##_compare_exchange_##NAME(volatile T *p, T EXPECTED, T x, int order, \
                                                        int order_if_not)                          \
    {                                                                                              \
        simt_atomic_compares((const void *)p);                                                     \
        begin(p, sizeof x, true, true, order, HERE);                                               \
        bool done =                                                                                \
            __atomic_compare_exchange_n(p, PLACE, x, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);   \
        end(done, done ? order : order_if_not);                                                    \
        return RESULT;                                                                             \
    }
#define ATOMICS(T, BITS)                                                                           \
    T __tsan_atomic##BITS##_load(const volatile T *p, int order)                                   \
    {                                                                                              \
        begin((volatile T *)p, sizeof *p, false, true, order == __ATOMIC_SEQ_CST ? order : 0,      \
              HERE);                                                                               \
        T value = __atomic_load_n(p, __ATOMIC_SEQ_CST);                                            \
        end(false, order);                                                                         \
        return value;                                                                              \
    }                                                                                              \
    void __tsan_atomic##BITS##_store(volatile T *p, T x, int order)                                \
    {                                                                                              \
        begin(p, sizeof x, true, false, order, HERE);                                              \
        __atomic_store_n(p, x, __ATOMIC_SEQ_CST);                                                  \
        end(true, __ATOMIC_RELAXED);                                                               \
    }                                                                                              \
    CHANGE(T, BITS, exchange, __atomic_exchange_n)                                                 \
    CHANGE(T, BITS, fetch_add, __atomic_fetch_add)                                                 \
    CHANGE(T, BITS, fetch_sub, __atomic_fetch_sub)                                                 \
    CHANGE(T, BITS, fetch_and, __atomic_fetch_and)                                                 \
    CHANGE(T, BITS, fetch_or, __atomic_fetch_or)                                                   \
    CHANGE(T, BITS, fetch_xor, __atomic_fetch_xor)                                                 \
    CHANGE(T, BITS, fetch_nand, __atomic_fetch_nand)                                               \
    COMPARE_EXCHANGE(T, BITS, strong, int, *expected, expected, done)                              \
    COMPARE_EXCHANGE(T, BITS, weak, int, *expected, expected, done)                                \
    COMPARE_EXCHANGE(T, BITS, val, T, expected, &expected, expected)
ATOMICS(uint8_t, 8)
ATOMICS(uint16_t, 16)
ATOMICS(uint32_t, 32)
ATOMICS(uint64_t, 64)

void __tsan_atomic_thread_fence(int order)
{
    if (simt_running() && order != __ATOMIC_RELAXED)
        pass_fence(order, SIMT_OF_THE_SYSTEM);
    else
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void __tsan_atomic_signal_fence(int order)
{
}

/* 0 of the same sign for a subnormal number. */
static float flushed(float x)
{
    return fabsf(x) < FLT_MIN ? copysignf(0, x) : x;
}

/* PTX's atom and red .add.f32 flush subnormal numbers on global memory, not on shared. */
float simt_atomic_sum(const float *p, float old, float x)
{
    size_t offset;
    if (!simt_running() || shared_owner(simt_self->block, (uintptr_t)p, &offset))
        return old + x;
    requests_mark(MARK_FLOAT);
    return flushed(flushed(old) + flushed(x));
}
