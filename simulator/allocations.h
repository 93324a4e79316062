/* allocations.h: device memory, and the allocation that an address belongs to. */
#pragma once

#include "thread.h"

/* Is the address in an allocation that the running code may touch? start and end: that allocation,
   or the one just before the address, or 0 and 0. */
bool allocation_find(uintptr_t address, uintptr_t *start, uintptr_t *end);
/* Is it of pinned, mapped or managed memory, or of a __managed__ variable? */
bool allocation_host_sees(uintptr_t address);
/* The device that has it, -1: none alone. */
int allocation_device(uintptr_t address);

/* Device memory: the addresses given out, and for each byte whether it was written since then. */
extern struct arena {
    uintptr_t start, top;
    unsigned char *written;
} arena;
static inline bool is_device_address(uintptr_t address)
{
    return address - arena.start < arena.top - arena.start;
}
/* The allocation that was found last, if it is still there: kernels may touch it. */
extern uintptr_t allocation_last_start, allocation_last_end;

/* Of the bits of 8 bytes, those of 1, 2, 4, 8 or 16 bytes at their address. */
static inline unsigned allocation_bits(uintptr_t address, unsigned bytes)
{
    return bytes >= 8 ? 0xff : ((1u << bytes) - 1) << address % 8;
}
/* These bytes of device memory were written; were they ever? */
static inline void allocation_written(uintptr_t address, unsigned bytes)
{
    unsigned char *at = arena.written + (address - arena.start) / 8;
    if (!is_device_address(address))
        return;
    *at |= (unsigned char)allocation_bits(address, bytes);
    if (bytes == 16)
        at[1] = 0xff;
}
/* The four at a multiple of 4 were not. */
static inline void allocation_word_unwritten(uintptr_t address)
{
    arena.written[(address - arena.start) / 8] &=
        (unsigned char)~allocation_bits(address, sizeof(uint32_t));
}
static inline bool allocation_is_written(uintptr_t address, unsigned bytes)
{
    const unsigned char *at = arena.written + (address - arena.start) / 8;
    unsigned bits = allocation_bits(address, bytes);
    return !is_device_address(address) || ((*at & bits) == bits && (bytes < 16 || at[1] == 0xff));
}
/* Of any number of bytes, those that were never written, but for holes in structures. */
size_t allocation_unwritten(uintptr_t address, size_t bytes);
/* The same of any number, with what `from` has; from: 0 or memory of the host, which is written. */
void allocation_copied(uintptr_t to, uintptr_t from, size_t bytes);

/* Of a whole allocation: as if nothing had written it. */
void allocation_unwrite(const void *p, size_t bytes);

enum allocation_owner {
    DEVICE_ALONE,
    HOST_TOO, /* cudaMallocHost() */
    MANAGED,
    HEAP,      /* malloc() and new in kernels */
    REGISTERED /* cudaHostRegister() */
};
/* These want the lock. Of the allocation that an address is in: false if there is none. */
struct allocation_facts {
    uintptr_t start, end;
    enum allocation_owner owner;
    unsigned device;
    bool host_may; /* touch it */
};
bool allocation_look_up(const void *p, struct allocation_facts *facts);
/* The same of the nearest one, for an address that may be just outside: false if none is near. */
bool allocation_near(uintptr_t address, struct allocation_facts *facts);
/* The same of one that was freed, if it is among the last 1024. */
bool allocation_was_freed(uintptr_t address, struct allocation_facts *facts);
/* ", made at FILE:LINE" of the allocation that begins there, or did before it was freed, "" if that
 * is unknown. */
const char *allocation_made_at(uintptr_t start);
cudaError_t allocation_make(void **p, size_t bytes, enum allocation_owner owner, unsigned device);
/* Memory of the program that CUDA shall know. */
void allocation_add(void *p, size_t bytes, enum allocation_owner owner, unsigned device);
void allocation_remove(const void *p);
/* Gives device memory back: *start to *end are the addresses that end so. */
cudaError_t allocation_free(const void *p, uintptr_t *start, uintptr_t *end);
/* A sum, after this one, over all memory that is allocated, as far as it was written. */
uint64_t allocation_sum(uint64_t sum);
size_t allocation_in_use(unsigned device); /* bytes */
