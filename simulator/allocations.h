/* allocations.h: device memory, and the allocation that an address belongs to. */
#ifndef SIMT_ALLOCATIONS_H
#define SIMT_ALLOCATIONS_H

#include "thread.h"

/* Is the address in an allocation that the running code may touch? start and end: that allocation,
   or the one just before the address, or 0 and 0. */
bool allocation_find(uintptr_t address, uintptr_t *start, uintptr_t *end);
/* The device that has it, -1: none alone. */
int allocation_device(uintptr_t address);
bool is_device_address(uintptr_t address);

/* Of device memory: these bytes (1, 2, 4, 8, 16) were written; were they ever? */
void allocation_written(uintptr_t address, unsigned bytes);
bool allocation_is_written(uintptr_t address, unsigned bytes);
/* The same of any number, with what `from` has; from: 0 or memory of the host, which is written. */
void allocation_copied(uintptr_t to, uintptr_t from, size_t bytes);

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
cudaError_t allocation_make(void **p, size_t bytes, enum allocation_owner owner, unsigned device);
/* Memory of the program that CUDA shall know. */
void allocation_add(void *p, size_t bytes, enum allocation_owner owner, unsigned device);
void allocation_remove(const void *p);
/* Gives device memory back: *start to *end are the addresses that end so. */
cudaError_t allocation_free(const void *p, uintptr_t *start, uintptr_t *end);
size_t allocation_in_use(unsigned device); /* bytes */

#endif
