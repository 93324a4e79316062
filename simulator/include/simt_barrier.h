/* simt_barrier.h: cuda::barrier, and copies that end at one. Each of these is 8 bytes, whatever its
   scope; in the shared memory of its block it is as fast as can be (../async.c). */
#pragma once

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

/* The word of a barrier, and what the last arrival of a phase calls, if anything. */
template <class _COMPLETION> struct simt_barrier_with {
    uint64_t simt_word;
    _COMPLETION simt_completion;

    simt_barrier_with() = default;
    SIMT_METHOD simt_barrier_with(uint64_t word, const _COMPLETION &f)
        : simt_word(word), simt_completion(f)
    {
    }
    SIMT_METHOD void simt_set(const _COMPLETION &f)
    {
        new ((void *)&simt_completion) _COMPLETION(f);
    }
    SIMT_METHOD unsigned simt_arrive(unsigned count, unsigned dropped)
    {
        return simt_barrier_arrive_then(this, count, dropped, [](void *barrier) {
            ((simt_barrier_with *)barrier)->simt_completion();
        });
    }
};
template <> struct simt_barrier_with<std::simt_nothing> {
    uint64_t simt_word;

    simt_barrier_with() = default;
    SIMT_METHOD simt_barrier_with(uint64_t word, std::simt_nothing) : simt_word(word) {}
    SIMT_METHOD void simt_set(std::simt_nothing) {}
    SIMT_METHOD unsigned simt_arrive(unsigned count, unsigned dropped)
    {
        return simt_barrier_arrive(this, count, dropped);
    }
};

template <thread_scope _SCOPE, class _COMPLETION = std::simt_nothing>
struct barrier : simt_barrier_with<_COMPLETION> {
    struct arrival_token {
        unsigned phase;
    };
    SIMT_METHOD barrier() = default; /* as it lies in shared memory: init() */
    SIMT_METHOD barrier(ptrdiff_t count, _COMPLETION f = _COMPLETION())
        : simt_barrier_with<_COMPLETION>(simt_barrier_word((uint64_t)count), f)
    {
    }
    barrier(const barrier &) = delete;
    barrier &operator=(const barrier &) = delete;
    friend SIMT_METHOD void init(barrier *b, ptrdiff_t count) { init(b, count, _COMPLETION()); }
    friend SIMT_METHOD void init(barrier *b, ptrdiff_t count, _COMPLETION f)
    {
        simt_barrier_init(b, (size_t)count);
        b->simt_set(f);
    }

    SIMT_METHOD arrival_token arrive(ptrdiff_t count = 1)
    {
        return {this->simt_arrive((unsigned)count, 0)};
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
    SIMT_METHOD void arrive_and_drop() { (void)this->simt_arrive(1, 1); }
    SIMT_METHOD bool test_wait(const arrival_token &token) const { return try_wait(token); }
    SIMT_METHOD bool try_wait(const arrival_token &token) const
    {
        return simt_barrier_over((void *)this, token.phase, false);
    }
    template <class _D> SIMT_METHOD bool try_wait_for(const arrival_token &token, const _D &) const
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
template <class _COMPLETION = simt_nothing>
using barrier = ::cuda::barrier<thread_scope_system, _COMPLETION>;
}

/* ---- copies ---- */

struct simt_one_thread {
    static constexpr size_t thread_rank() { return 0; }
    static constexpr size_t size() { return 1; }
};

template <class _G, thread_scope _SCOPE>
SIMT_METHOD void memcpy_async(const _G &group, void *to, const void *from, size_t bytes,
                              barrier<_SCOPE> &b)
{
    simt_async_share(to, from, bytes, group.thread_rank(), group.size());
    simt_async_arrive(&b);
}
template <class _G, class T, class _N, thread_scope _SCOPE>
SIMT_METHOD void memcpy_async(const _G &group, T *to, const T *from, _N bytes, barrier<_SCOPE> &b)
{
    memcpy_async(group, (void *)to, (const void *)from, (size_t)bytes, b);
}
template <class T, class _N, thread_scope _SCOPE>
SIMT_METHOD void memcpy_async(T *to, const T *from, _N bytes, barrier<_SCOPE> &b)
{
    memcpy_async(simt_one_thread(), (void *)to, (const void *)from, (size_t)bytes, b);
}

/* Bulk copies, and the arrival that says how many bytes are to come. */
namespace device
{
template <class T, size_t _ALIGNMENT>
SIMT_METHOD void memcpy_async_tx(T *to, const T *from, aligned_size_t<_ALIGNMENT> bytes,
                                 barrier<thread_scope_block> &b)
{
    static_assert(_ALIGNMENT >= 16, "a bulk copy is of whole 16 bytes");
    simt_async_bulk(&b, to, from, bytes);
}
SIMT_METHOD barrier<thread_scope_block>::arrival_token
barrier_arrive_tx(barrier<thread_scope_block> &b, ptrdiff_t count, ptrdiff_t bytes)
{
    return {simt_barrier_arrive_due(&b, (unsigned)count, (size_t)bytes)};
}
SIMT_METHOD uint64_t *barrier_native_handle(barrier<thread_scope_block> &b) { return &b.simt_word; }

/* As these were called before they had names in cuda::ptx. */
namespace experimental
{
SIMT_METHOD void cp_async_bulk_global_to_shared(void *to, const void *from, uint32_t bytes,
                                                barrier<thread_scope_block> &b)
{
    simt_async_bulk(&b, to, from, bytes);
}
SIMT_METHOD void cp_async_bulk_shared_to_global(void *to, const void *from, uint32_t bytes)
{
    simt_async_bulk_store(to, from, bytes);
}
SIMT_METHOD void cp_async_bulk_commit_group() {}
template <int> SIMT_METHOD void cp_async_bulk_wait_group_read() {}
SIMT_METHOD void fence_proxy_async_shared_cta() {}
} // namespace experimental
} // namespace device
} // namespace cuda
