/*
 * api.c: the CUDA runtime API of the simulator: memory, the device's properties,
 * errors. Device memory lies in one reserved range of addresses, each allocation
 * with closed room behind it, so that every address in a kernel can be judged.
 */
#include "engine.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { RED_ZONE = 512 }; /* bytes that belong to nobody, behind every allocation */
static const size_t arena_bytes = (size_t)1 << 40, device_bytes = (size_t)2 << 30;

struct allocation {
    uintptr_t start, end;
    bool host_too; /* cudaMallocHost, cudaMallocManaged */
};

static struct allocation *allocations; /* in the order of their addresses */
static size_t allocation_count, allocation_room, last_found;
static uintptr_t arena, arena_top;
static size_t in_use;
static cudaError_t last_error;

cudaError_t simt_error(cudaError_t error)
{
    if (error != cudaSuccess)
        last_error = error;
    return error;
}

cudaError_t cudaGetLastError(void)
{
    cudaError_t error = last_error;
    last_error = cudaSuccess;
    return error;
}

cudaError_t cudaPeekAtLastError(void)
{
    return last_error;
}

const char *cudaGetErrorName(cudaError_t error)
{
    switch (error) {
#define NAME_OF(NAME, NUMBER, TEXT)                                                                \
    case NAME:                                                                                     \
        return #NAME;
        SIMT_ERRORS(NAME_OF)
    }
    return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error)
{
    switch (error) {
#define TEXT_OF(NAME, NUMBER, TEXT)                                                                \
    case NAME:                                                                                     \
        return TEXT;
        SIMT_ERRORS(TEXT_OF)
    }
    return "unrecognized error code";
}

/* ---- device ---- */

cudaError_t cudaSetDevice(int device)
{
    return simt_error(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device)
{
    if (device != 0)
        return simt_error(cudaErrorInvalidDevice);
    *prop = (struct cudaDeviceProp){
        .name = "SIMT simulator",
        .totalGlobalMem = device_bytes,
        .totalConstMem = 65536,
        .sharedMemPerBlock = 48 * 1024,
        .sharedMemPerBlockOptin = BLOCK_SHARED,
        .sharedMemPerMultiprocessor = SM_SHARED,
        .regsPerBlock = 65536,
        .warpSize = WARP,
        .maxThreadsPerBlock = MAX_BLOCK,
        .maxThreadsPerMultiProcessor = SM_THREADS,
        .maxBlocksPerMultiProcessor = SM_BLOCKS,
        .maxThreadsDim = {1024, 1024, 64},
        .maxGridSize = {0x7fffffff, 65535, 65535},
        .multiProcessorCount = (int)simt_sms,
        .major = 9,
        .clusterLaunch = 1,
        .cooperativeLaunch = 1,
        .unifiedAddressing = 1,
        .managedMemory = 1,
        .concurrentManagedAccess = 1,
        .canMapHostMemory = 1,
    };
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    if (device != 0)
        return simt_error(cudaErrorInvalidDevice);
    switch (attribute) {
#define VALUE_OF(NAME, NUMBER, VALUE)                                                              \
    case NAME:                                                                                     \
        return *value = (int)(VALUE), cudaSuccess;
        SIMT_ATTRIBUTES(VALUE_OF)
    }
    return simt_error(cudaErrorInvalidValue);
}

/* ---- memory ---- */

bool memory_is_device(uintptr_t address)
{
    return address - arena < arena_top - arena;
}

/* An allocation's last page belongs to it, and so does the closed room behind it. */
static uintptr_t padded_end(const struct allocation *a)
{
    return a->start + (a->end - a->start + RED_ZONE + 4095) / 4096 * 4096;
}

static const struct allocation *find(uintptr_t address)
{
    if (last_found < allocation_count && address >= allocations[last_found].start &&
        address < allocations[last_found].end)
        return &allocations[last_found];
    for (size_t low = 0, high = allocation_count; low < high;) {
        size_t middle = (low + high) / 2;
        if (address >= allocations[middle].end) {
            low = middle + 1;
        } else if (address < allocations[middle].start) {
            high = middle;
        } else {
            last_found = middle;
            return &allocations[middle];
        }
    }
    return NULL;
}

bool memory_find(uintptr_t address, uintptr_t *start, uintptr_t *end)
{
    const struct allocation *a = find(address);
    bool inside = a && (simt_self || a->host_too);
    for (size_t i = 0; !a && i < allocation_count; i++)
        if (address >= allocations[i].start && address < padded_end(&allocations[i]))
            a = &allocations[i];
    *start = a ? a->start : 0;
    *end = a ? a->end : 0;
    return inside;
}

/* Keeps the list in the order of addresses. */
static void add_allocation(struct allocation added)
{
    if (allocation_count == allocation_room) {
        allocation_room = allocation_room ? 2 * allocation_room : 64;
        allocations = realloc(allocations, allocation_room * sizeof *allocations);
        if (!allocations)
            simt_fault(NULL, NULL, "no memory to note another allocation");
    }
    size_t i = allocation_count++;
    for (; i > 0 && allocations[i - 1].start > added.start; i--)
        allocations[i] = allocations[i - 1];
    allocations[i] = added;
}

static cudaError_t allocate(void **pointer, size_t bytes, bool host_too)
{
    *pointer = NULL;
    if (bytes == 0)
        return cudaSuccess;
    if (bytes > device_bytes - in_use)
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
    if (!find((uintptr_t)address))
        add_allocation((struct allocation){(uintptr_t)address, (uintptr_t)address + bytes, true});
    return cudaSuccess;
}

cudaError_t cudaFree(void *p)
{
    if (!p)
        return cudaSuccess;
    const struct allocation *a = find((uintptr_t)p);
    if (!a || a->start != (uintptr_t)p || !memory_is_device((uintptr_t)p))
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

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total)
{
    *free_bytes = device_bytes - in_use;
    *total = device_bytes;
    return cudaSuccess;
}

/* Does the whole range lie where a copy may touch it? */
static bool range_ok(const void *p, size_t bytes, bool device)
{
    const struct allocation *a = find((uintptr_t)p);
    if (!a)
        return !device && !memory_is_device((uintptr_t)p);
    return bytes <= a->end - (uintptr_t)p && (device || a->host_too);
}

static bool is_device(const void *p)
{
    return find((uintptr_t)p) != NULL;
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t height, enum cudaMemcpyKind kind)
{
    bool any = kind == cudaMemcpyDefault;
    bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if (width == 0 || height == 0)
        return cudaSuccess;
    if (height > 1 && (to_pitch < width || from_pitch < width))
        return simt_error(cudaErrorInvalidValue);
    if (!range_ok(to, (height - 1) * to_pitch + width, any ? is_device(to) : to_device) ||
        !range_ok(from, (height - 1) * from_pitch + width, any ? is_device(from) : from_device))
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
