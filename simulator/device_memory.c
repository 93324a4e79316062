/* device_memory.c: cudaMalloc() and its kin, and what copies and fills do. With several devices it
   waits for kernels that may use the memory still. */
#include "device_memory.h"
#include "access.h"
#include "allocations.h"
#include "devices.h"
#include "fault.h"
#include "lock.h"
#include "queue.h"
#include "race.h"
#include "scheduler.h"
#include "summary.h"
#include "suspended.h"

static bool is_known(const void *p)
{
    struct allocation_facts facts;
    return allocation_look_up(p, &facts);
}

static cudaError_t allocate(void **pointer, size_t bytes, enum allocation_owner owner)
{
    simt_lock();
    cudaError_t error = allocation_make(pointer, bytes, owner, device_current());
    simt_unlock();
    return error;
}

#define ALLOCATES(NAME, PARAMETERS, OWNER)                                                         \
    cudaError_t NAME PARAMETERS                                                                    \
    {                                                                                              \
        return allocate(p, bytes, OWNER);                                                          \
    }
ALLOCATES(cudaMalloc, (void **p, size_t bytes), DEVICE_ALONE)
ALLOCATES(cudaMallocHost, (void **p, size_t bytes), HOST_TOO)
ALLOCATES(cudaMallocManaged, (void **p, size_t bytes, unsigned flags), MANAGED)

cudaError_t cudaMallocPitch(void **p, size_t *pitch, size_t width, size_t height)
{
    *pitch = (width + 511) / 512 * 512;
    return allocate(p, *pitch * height, DEVICE_ALONE);
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *p, struct cudaExtent extent)
{
    *p = make_cudaPitchedPtr(NULL, 0, extent.width, extent.height);
    return cudaMallocPitch(&p->ptr, &p->pitch, extent.width, extent.height * extent.depth);
}

cudaError_t simt_symbol(void *address, size_t bytes)
{
    simt_lock();
    if (!is_known(address))
        allocation_add(address, bytes, HOST_TOO, 0);
    simt_unlock();
    return cudaSuccess;
}

cudaError_t cudaHostRegister(void *p, size_t bytes, unsigned flags)
{
    simt_lock();
    cudaError_t error = is_known(p) ? cudaErrorHostMemoryAlreadyRegistered : cudaSuccess;
    if (!p || bytes == 0)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        allocation_add(p, bytes, REGISTERED, device_current());
    simt_unlock();
    return simt_error(error);
}

/* Kernels under way may use it: of its device, or of the one chosen if the host has it, too. */
static void wait_for_users(const void *p)
{
    if (simt_devices == 1) {
        suspended_wait(SUSPENDED_ALL);
        return;
    }
    int device = allocation_device((uintptr_t)p);
    queue_wait_for(queue_mark(device < 0 ? device_current() : (unsigned)device));
}

cudaError_t cudaHostUnregister(void *p)
{
    wait_for_users(p);
    simt_lock();
    struct allocation_facts a;
    bool registered = allocation_look_up(p, &a) && a.owner == REGISTERED && a.start == (uintptr_t)p;
    if (registered)
        allocation_remove(p);
    simt_unlock();
    return simt_error(registered ? cudaSuccess : cudaErrorHostMemoryNotRegistered);
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *p)
{
    simt_lock();
    struct allocation_facts a;
    bool known = allocation_look_up(p, &a);
    bool device = known && (a.owner == DEVICE_ALONE || a.owner == HEAP);
    *attributes = (struct cudaPointerAttributes){
        .type = !known               ? cudaMemoryTypeUnregistered
                : device             ? cudaMemoryTypeDevice
                : a.owner == MANAGED ? cudaMemoryTypeManaged
                                     : cudaMemoryTypeHost,
        .device = known ? (int)a.device : -1,
        .devicePointer = known ? (void *)p : NULL,
        .hostPointer = known && !device ? (void *)p : NULL,
    };
    simt_unlock();
    return cudaSuccess;
}

bool (*memory_keeps)(const void *p);

cudaError_t memory_free(void *p)
{
    uintptr_t start, end;
    if (!p || (memory_keeps && memory_keeps(p)))
        return cudaSuccess;
    simt_lock();
    cudaError_t error = allocation_free(p, &start, &end);
    if (error == cudaSuccess)
        race_forget(start, end);
    simt_unlock();
    return error;
}

cudaError_t cudaFree(void *p)
{
    if (p)
        wait_for_users(p);
    access_not_awaited = false;
    return memory_free(p);
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total)
{
    *free_bytes = DEVICE_BYTES - allocation_in_use(device_current());
    return SIMT_GIVE(total, DEVICE_BYTES);
}

/* Does the whole range lie where a copy may touch it? device: -1 if that is not said. */
static bool range_ok(const void *p, size_t bytes, int device)
{
    simt_lock();
    struct allocation_facts a;
    bool right = allocation_look_up(p, &a) ? bytes <= a.end - (uintptr_t)p &&
                                                 (device != 0 || a.host_may) && a.owner != HEAP
                                           : device != 1 && !is_device_address((uintptr_t)p);
    simt_unlock();
    return right;
}

static bool is_on_host(const void *p)
{
    struct allocation_facts a;
    simt_lock();
    bool host = allocation_look_up(p, &a) ? a.host_may : !is_device_address((uintptr_t)p);
    simt_unlock();
    return host;
}

static bool was_freed(const void *p)
{
    struct allocation_facts a;
    simt_lock();
    bool freed = allocation_was_freed((uintptr_t)p, &a);
    simt_unlock();
    return freed;
}

/* What CUDA's "invalid argument" leaves open. */
static const char *why_not(const struct copy *c)
{
    bool to = is_on_host(c->to), from = is_on_host(c->from);
    if (c->kind == cudaMemcpyDeviceToHost && from && !to)
        return "the kind says device to host, and the pointers say host to device";
    if (c->kind == cudaMemcpyHostToDevice && to && !from)
        return "the kind says host to device, and the pointers say device to host";
    if (c->kind != cudaMemcpyDefault &&
        to != (c->kind == cudaMemcpyDeviceToHost || c->kind == cudaMemcpyHostToHost))
        return to ? "the target is memory of the host, and the kind says of the device"
                  : "the target is memory of the device, and the kind says of the host";
    if (c->kind != cudaMemcpyDefault &&
        from != (c->kind == cudaMemcpyHostToDevice || c->kind == cudaMemcpyHostToHost))
        return from ? "the source is memory of the host, and the kind says of the device"
                    : "the source is memory of the device, and the kind says of the host";
    return was_freed(c->to)     ? "the target was freed"
           : was_freed(c->from) ? "the source was freed"
                                : "it is longer than the allocation that it starts in";
}

cudaError_t memory_copy_error(const struct copy *c)
{
    bool any = c->kind == cudaMemcpyDefault;
    bool to = c->kind == cudaMemcpyHostToDevice || c->kind == cudaMemcpyDeviceToDevice;
    bool from = c->kind == cudaMemcpyDeviceToHost || c->kind == cudaMemcpyDeviceToDevice;
    if (c->width == 0 || c->height == 0)
        return cudaSuccess;
    if ((c->height > 1 && (c->to_pitch < c->width || c->from_pitch < c->width)) ||
        !range_ok(c->to, (c->height - 1) * c->to_pitch + c->width, any ? -1 : to) ||
        !range_ok(c->from, (c->height - 1) * c->from_pitch + c->width, any ? -1 : from))
        return simt_error_because(cudaErrorInvalidValue, why_not(c));
    return cudaSuccess;
}

/* Bytes that are copied to the host: has anything written them? Or were elements counted? */
static void look_at_host_copy(const struct copy *c)
{
    size_t missing = 0;
    if (is_on_host(c->from) || !is_on_host(c->to))
        return;
    for (size_t row = 0; row < c->height; row++)
        missing += allocation_unwritten((uintptr_t)c->from + row * c->from_pitch, c->width);
    if (missing > 0)
        summary_add(UNWRITTEN_COPY, place_of_call(),
                    "copies %zu bytes to the host, of which no kernel and no copy has written %zu",
                    c->width * c->height, missing);
    host_copies_took(c->from, (c->height - 1) * c->from_pitch + c->width);
}

void memory_arrives(const struct copy *c)
{
    struct allocation_facts a;
    simt_lock();
    bool pinned = allocation_look_up(c->to, &a) && a.owner == HOST_TOO;
    simt_unlock();
    if (pinned && !is_on_host(c->from))
        for (size_t row = 0; row < c->height; row++)
            access_copy_arrives((char *)c->to + row * c->to_pitch, c->width);
}

cudaError_t memory_copy(const void *data)
{
    const struct copy *c = data;
    cudaError_t error = memory_copy_error(c);
    if (error == cudaSuccess && c->width > 0 && c->height > 0)
        look_at_host_copy(c);
    for (size_t row = 0; error == cudaSuccess && row < c->height; row++) {
        char *to = (char *)c->to + row * c->to_pitch;
        const char *from = (const char *)c->from + row * c->from_pitch;
        memmove(to, from, c->width);
        allocation_copied((uintptr_t)to, (uintptr_t)from, c->width);
        host_copies_note(to, from, c->width);
    }
    simt_writes++; /* a kernel of another device may wait for it */
    return error;
}

cudaError_t memory_fill_error(const struct fill *f)
{
    if (f->width == 0 || f->height == 0)
        return cudaSuccess;
    if ((f->height > 1 && f->pitch < f->width) ||
        !range_ok(f->to, (f->height - 1) * f->pitch + f->width, true))
        return simt_error(cudaErrorInvalidValue);
    return cudaSuccess;
}

cudaError_t memory_fill(const void *data)
{
    const struct fill *f = data;
    cudaError_t error = memory_fill_error(f);
    for (size_t row = 0; error == cudaSuccess && row < f->height; row++) {
        memset((char *)f->to + row * f->pitch, f->byte, f->width);
        allocation_copied((uintptr_t)f->to + row * f->pitch, 0, f->width);
    }
    simt_writes++;
    return error;
}

void (*memory_without_arrays)(struct cudaMemcpy3DParms *p);

struct copy memory_slice(const struct cudaMemcpy3DParms *params, size_t z)
{
    struct cudaMemcpy3DParms all = *params, *p = &all;
    const struct cudaPitchedPtr *to = &p->dstPtr, *from = &p->srcPtr;
    if (memory_without_arrays && (p->srcArray || p->dstArray))
        memory_without_arrays(p);
    return (struct copy){(char *)to->ptr + p->dstPos.x +
                             to->pitch * (p->dstPos.y + to->ysize * (p->dstPos.z + z)),
                         (const char *)from->ptr + p->srcPos.x +
                             from->pitch * (p->srcPos.y + from->ysize * (p->srcPos.z + z)),
                         to->pitch,
                         from->pitch,
                         p->extent.width,
                         p->extent.height,
                         p->kind};
}

cudaError_t memory_copy_slices(const void *data)
{
    const struct cudaMemcpy3DParms *p = data;
    for (size_t z = 0; z < p->extent.depth; z++) {
        struct copy c = memory_slice(p, z);
        cudaError_t error = memory_copy_error(&c);
        if (error == cudaSuccess && c.width > 0 && c.height > 0)
            error = memory_copy(&c);
        SIMT_REFUSE_IF(error != cudaSuccess, error);
    }
    return cudaSuccess;
}

bool memory_is_pageable(const void *p)
{
    simt_lock();
    bool pageable = !is_known(p) && !is_device_address((uintptr_t)p);
    simt_unlock();
    return pageable;
}
