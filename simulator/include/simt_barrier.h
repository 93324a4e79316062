/*
 * simt_barrier.h: cuda::barrier, and copies that end at one. Each of these is 8 bytes, whatever its
 * scope; in the shared memory of its block it is as fast as can be (../async.c).
 */
#ifndef SIMT_BARRIER_H
#define SIMT_BARRIER_H

#include "simt_async.h"
#include "simt_atomic.h"

namespace cuda
{
namespace std
{
struct simt_nothing {
    void operator()() const {}
};
} // namespace std

#define SIMT_METHOD inline __attribute__((always_inline)) /* so that faults name the caller */

template <thread_scope SCOPE, class COMPLETION = std::simt_nothing> struct barrier {
    static_assert(::std::is_same<COMPLETION, std::simt_nothing>::value,
                  "a barrier with a function of its own at the end of a phase is not supported");
    uint64_t simt_word;

    struct arrival_token {
        unsigned phase;
    };
    SIMT_METHOD barrier() = default; /* as it lies in shared memory: init() */
    SIMT_METHOD barrier(ptrdiff_t count) : simt_word(simt_barrier_word((uint64_t)count)) {}
    barrier(const barrier &) = delete;
    barrier &operator=(const barrier &) = delete;
    friend SIMT_METHOD void init(barrier *b, ptrdiff_t count)
    {
        simt_barrier_init(b, (size_t)count);
    }
    friend SIMT_METHOD void init(barrier *b, ptrdiff_t count, COMPLETION) { init(b, count); }

    SIMT_METHOD arrival_token arrive(ptrdiff_t count = 1)
    {
        return {simt_barrier_arrive(this, (unsigned)count, 0)};
    }
    SIMT_METHOD void wait(arrival_token &&token) const
    {
        simt_barrier_wait((void *)this, token.phase, false);
    }
    SIMT_METHOD void wait_parity(bool parity) const
    {
        simt_barrier_wait((void *)this, parity, true);
    }
    SIMT_METHOD void arrive_and_wait() { wait(arrive()); }
    SIMT_METHOD void arrive_and_drop() { (void)simt_barrier_arrive(this, 1, 1); }
    SIMT_METHOD bool test_wait(const arrival_token &token) const { return try_wait(token); }
    SIMT_METHOD bool try_wait(const arrival_token &token) const
    {
        return simt_barrier_over((void *)this, token.phase, false);
    }
    template <class D> SIMT_METHOD bool try_wait_for(const arrival_token &token, const D &) const
    {
        return try_wait(token);
    }
    SIMT_METHOD bool try_wait_parity(bool parity) const
    {
        return simt_barrier_over((void *)this, parity, true);
    }
    SIMT_METHOD bool test_wait_parity(bool parity) const { return try_wait_parity(parity); }
    static constexpr ptrdiff_t max() { return (1 << 20) - 1; }
};

namespace std
{
template <class COMPLETION = simt_nothing>
using barrier = ::cuda::barrier<thread_scope_system, COMPLETION>;
}

/* ---- copies ---- */

struct simt_one_thread {
    static constexpr size_t thread_rank() { return 0; }
    static constexpr size_t size() { return 1; }
};

template <class G, thread_scope SCOPE>
SIMT_METHOD void memcpy_async(const G &group, void *to, const void *from, size_t bytes,
                              barrier<SCOPE> &b)
{
    simt_async_share(to, from, bytes, group.thread_rank(), group.size());
    simt_async_arrive(&b);
}
template <class G, class T, class N, thread_scope SCOPE>
SIMT_METHOD void memcpy_async(const G &group, T *to, const T *from, N bytes, barrier<SCOPE> &b)
{
    memcpy_async(group, (void *)to, (const void *)from, (size_t)bytes, b);
}
template <class T, class N, thread_scope SCOPE>
SIMT_METHOD void memcpy_async(T *to, const T *from, N bytes, barrier<SCOPE> &b)
{
    memcpy_async(simt_one_thread(), (void *)to, (const void *)from, (size_t)bytes, b);
}

/* Bulk copies, and the arrival that says how many bytes are to come. */
namespace device
{
template <class T, size_t ALIGNMENT>
SIMT_METHOD void memcpy_async_tx(T *to, const T *from, aligned_size_t<ALIGNMENT> bytes,
                                 barrier<thread_scope_block> &b)
{
    static_assert(ALIGNMENT >= 16, "a bulk copy is of whole 16 bytes");
    simt_async_bulk(&b, to, from, bytes);
}
SIMT_METHOD barrier<thread_scope_block>::arrival_token
barrier_arrive_tx(barrier<thread_scope_block> &b, ptrdiff_t count, ptrdiff_t bytes)
{
    return {simt_barrier_arrive_due(&b, (unsigned)count, (size_t)bytes)};
}
} // namespace device
#undef SIMT_METHOD
} // namespace cuda
#endif
