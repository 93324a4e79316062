/* simt_async.h: barriers with phases and asynchronous copies as kernels see them (../async.c). */
#pragma once

#include "cuda_runtime.h"

extern "C" {
/* barrier: 8 bytes, for so many arrivals in each phase. */
void simt_barrier_init(void *barrier, size_t count);
/* Arrives so many times, and takes so many off all phases
   to come; returns the number of the phase, of 24 bits. */
unsigned simt_barrier_arrive(void *barrier, unsigned count, unsigned dropped);
/* The same; the last arrival of a phase calls then(barrier) before any thread goes on. */
unsigned simt_barrier_arrive_then(void *barrier, unsigned count, unsigned dropped,
                                  void (*then)(void *barrier));
/* As the first, and the phase is not over before bulk copies have brought so many bytes more. */
unsigned simt_barrier_arrive_due(void *barrier, unsigned count, size_t bytes);
/* Waits until that phase is over; is it? parity: only its lowest bit is given. */
void simt_barrier_wait(void *barrier, unsigned phase, bool parity);
bool simt_barrier_over(void *barrier, unsigned phase, bool parity);
/* The copies of the open batch are there once a thread has waited for this barrier. */
void simt_async_arrive(void *barrier);
/* One thread's copy of whole 16 bytes to shared memory, there when the barrier's phase ends. */
void simt_async_bulk(void *barrier, void *to, const void *from, size_t bytes);
/* The same out of shared memory, into the device's; it has read and written when this returns. */
void simt_async_bulk_store(void *to, const void *from, size_t bytes);
}

static constexpr uint64_t simt_barrier_word(uint64_t count) { return count << 20 | count; }

/* Thread `rank` of `size` copies its part, in pieces as large as the addresses allow. */
SIMT_INLINE void simt_async_share(void *to, const void *from, size_t bytes, size_t rank,
                                  size_t size)
{
    size_t bits = (size_t)to | (size_t)from | bytes | 16, piece = bits & (0 - bits);
    for (size_t at = rank * piece; at < bytes; at += size * piece)
        simt_async_copy((char *)to + at, (const char *)from + at, piece);
}

/* What the group's part of libcu++ and cooperative groups call an amount of bytes. */
namespace cuda
{
template <size_t _ALIGNMENT> struct aligned_size_t {
    static constexpr size_t align = _ALIGNMENT;
    size_t value;
    constexpr explicit aligned_size_t(size_t bytes) : value(bytes) {}
    constexpr operator size_t() const { return value; }
};
} // namespace cuda
