/*
 * allocations.c: gives out device memory, and knows whose each address is. It lies in one
 * reserved range of addresses, each allocation with closed room behind it, so that every
 * address in a kernel can be judged.
 */
#include "engine.h"
#include <string.h>
#include <sys/mman.h>

enum { RED_ZONE = 512 }; /* bytes that belong to nobody, behind every allocation */
static const size_t arena_bytes = (size_t)1 << 40;

struct allocation {
    uintptr_t start, end;
    bool host_too; /* cudaMallocHost, cudaMallocManaged */
};

static struct allocation *allocations; /* in the order of their addresses */
static size_t allocation_count;
static uintptr_t arena, arena_top;
static size_t in_use;

bool is_device_address(uintptr_t address)
{
    return address - arena < arena_top - arena;
}

/* An allocation's last page belongs to it, and so does the closed room behind it. */
static uintptr_t padded_end(const struct allocation *a)
{
    return a->start + (a->end - a->start + RED_ZONE + 4095) / 4096 * 4096;
}

/* The last allocation that begins at or before the address, or NULL. */
static const struct allocation *last_before(uintptr_t address)
{
    static size_t low; /* most often the same one as before */
    if (low < allocation_count &&
        address - allocations[low].start < allocations[low].end - allocations[low].start)
        return &allocations[low];
    low = 0;
    for (size_t high = allocation_count; low < high;) {
        size_t middle = (low + high) / 2;
        if (address >= allocations[middle].start)
            low = middle + 1;
        else
            high = middle;
    }
    return low == 0 ? NULL : &allocations[--low];
}

static const struct allocation *find(uintptr_t address)
{
    const struct allocation *a = last_before(address);
    return a && address < a->end ? a : NULL;
}

bool allocation_find(uintptr_t address, uintptr_t *start, uintptr_t *end)
{
    const struct allocation *a = last_before(address);
    bool near = a && address < padded_end(a);
    *start = near ? a->start : 0;
    *end = near ? a->end : 0;
    return near && address < a->end && (simt_running() || a->host_too);
}

/* Keeps the list in the order of addresses. */
static void add_allocation(struct allocation added)
{
    allocations = simt_grow(allocations, allocation_count, sizeof *allocations);
    size_t i = allocation_count++;
    for (; i > 0 && allocations[i - 1].start > added.start; i--)
        allocations[i] = allocations[i - 1];
    allocations[i] = added;
}

static cudaError_t allocate_locked(void **pointer, size_t bytes, bool host_too)
{
    *pointer = NULL;
    if (bytes == 0)
        return cudaSuccess;
    if (bytes > DEVICE_BYTES - in_use)
        return simt_error(cudaErrorMemoryAllocation);
    if (arena == 0) {
        void *range =
            mmap(NULL, arena_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (range == MAP_FAILED)
            return simt_error(cudaErrorMemoryAllocation);
        arena = arena_top = (uintptr_t)range;
    }
    struct allocation a = {arena_top, arena_top + bytes, host_too};
    size_t length = padded_end(&a) - a.start;
    if (length > arena + arena_bytes - arena_top ||
        mprotect((void *)arena_top, length, PROT_READ | PROT_WRITE) != 0)
        return simt_error(cudaErrorMemoryAllocation);
    memset((void *)arena_top, 0xff, bytes);
    add_allocation(a);
    *pointer = (void *)arena_top;
    arena_top += length; /* addresses are never used again: a stale pointer is seen */
    in_use += bytes;
    return cudaSuccess;
}

static cudaError_t allocate(void **pointer, size_t bytes, bool host_too)
{
    simt_lock();
    cudaError_t error = allocate_locked(pointer, bytes, host_too);
    simt_unlock();
    return error;
}

cudaError_t cudaMalloc(void **p, size_t bytes)
{
    return allocate(p, bytes, false);
}

cudaError_t cudaMallocHost(void **p, size_t bytes)
{
    return allocate(p, bytes, true);
}

cudaError_t cudaMallocPitch(void **p, size_t *pitch, size_t width, size_t height)
{
    *pitch = (width + 511) / 512 * 512;
    return allocate(p, *pitch * height, false);
}

cudaError_t simt_symbol(void *address, size_t bytes)
{
    simt_lock();
    if (!find((uintptr_t)address))
        add_allocation((struct allocation){(uintptr_t)address, (uintptr_t)address + bytes, true});
    simt_unlock();
    return cudaSuccess;
}

static cudaError_t free_locked(void *p)
{
    const struct allocation *a = find((uintptr_t)p);
    if (!a || a->start != (uintptr_t)p || !is_device_address((uintptr_t)p))
        return simt_error(cudaErrorInvalidValue);
    size_t i = (size_t)(a - allocations), bytes = a->end - a->start;
    race_forget(a->start, padded_end(a));
    mmap((void *)a->start, padded_end(a) - a->start, PROT_NONE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    memmove(&allocations[i], &allocations[i + 1], (allocation_count - i - 1) * sizeof *allocations);
    allocation_count--;
    in_use -= bytes;
    return cudaSuccess;
}

cudaError_t cudaFree(void *p)
{
    simt_lock();
    cudaError_t error = p ? free_locked(p) : cudaSuccess;
    simt_unlock();
    return error;
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total)
{
    *free_bytes = DEVICE_BYTES - in_use;
    *total = DEVICE_BYTES;
    return cudaSuccess;
}

/* Does the whole range lie where a copy may touch it? device: -1 if that is not said. */
static bool range_ok(const void *p, size_t bytes, int device)
{
    simt_lock();
    const struct allocation *a = find((uintptr_t)p);
    bool right = a ? bytes <= a->end - (uintptr_t)p && (device != 0 || a->host_too)
                   : device != 1 && !is_device_address((uintptr_t)p);
    simt_unlock();
    return right;
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t height, enum cudaMemcpyKind kind)
{
    bool any = kind == cudaMemcpyDefault;
    int to_device = any ? -1 : kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    int from_device = any ? -1 : kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if (width == 0 || height == 0)
        return cudaSuccess;
    if ((height > 1 && (to_pitch < width || from_pitch < width)) ||
        !range_ok(to, (height - 1) * to_pitch + width, to_device) ||
        !range_ok(from, (height - 1) * from_pitch + width, from_device))
        return simt_error(cudaErrorInvalidValue);
    for (size_t row = 0; row < height; row++)
        memmove((char *)to + row * to_pitch, (const char *)from + row * from_pitch, width);
    return cudaSuccess;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    return cudaMemcpy2D(to, 0, from, 0, bytes, 1, kind);
}

cudaError_t cudaMemset2D(void *to, size_t pitch, int byte, size_t width, size_t height)
{
    if (width == 0 || height == 0)
        return cudaSuccess;
    if ((height > 1 && pitch < width) || !range_ok(to, (height - 1) * pitch + width, true))
        return simt_error(cudaErrorInvalidValue);
    for (size_t row = 0; row < height; row++)
        memset((char *)to + row * pitch, byte, width);
    return cudaSuccess;
}

cudaError_t cudaMemset(void *to, int byte, size_t bytes)
{
    return cudaMemset2D(to, 0, byte, bytes, 1);
}
