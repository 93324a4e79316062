/*
 * api.c: the CUDA runtime API of the simulator: memory, the device's properties,
 * errors. Device memory lies in one reserved range of addresses, each allocation
 * with closed room behind it, so that every address in a kernel can be judged.
 */
#include "engine.h"
#include <math.h>
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

void api_set_error(cudaError_t error)
{
    last_error = error;
}

static cudaError_t result(cudaError_t error)
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

static const struct {
    cudaError_t error;
    const char *name, *text;
} error_texts[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration",
     "invalid configuration argument"},
    {cudaErrorInvalidSymbol, "cudaErrorInvalidSymbol", "invalid device symbol"},
    {cudaErrorInvalidDevicePointer, "cudaErrorInvalidDevicePointer", "invalid device pointer"},
    {cudaErrorInsufficientDriver, "cudaErrorInsufficientDriver",
     "CUDA driver version is insufficient for CUDA runtime version"},
    {cudaErrorNoDevice, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {cudaErrorNoKernelImageForDevice, "cudaErrorNoKernelImageForDevice",
     "no kernel image is available for execution on the device"},
    {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {cudaErrorNotReady, "cudaErrorNotReady", "device not ready"},
    {cudaErrorCooperativeLaunchTooLarge, "cudaErrorCooperativeLaunchTooLarge",
     "too many blocks in cooperative launch"},
    {cudaErrorNotSupported, "cudaErrorNotSupported", "operation not supported"},
};

const char *cudaGetErrorName(cudaError_t error)
{
    for (size_t i = 0; i < sizeof error_texts / sizeof *error_texts; i++)
        if (error_texts[i].error == error)
            return error_texts[i].name;
    return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error)
{
    for (size_t i = 0; i < sizeof error_texts / sizeof *error_texts; i++)
        if (error_texts[i].error == error)
            return error_texts[i].text;
    return "unrecognized error code";
}

/* ---- device ---- */

cudaError_t cudaGetDeviceCount(int *count)
{
    *count = 1;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
    return result(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaGetDevice(int *device)
{
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device)
{
    if (device != 0)
        return result(cudaErrorInvalidDevice);
    *prop = (struct cudaDeviceProp){
        .name = "SIMT simulator",
        .totalGlobalMem = device_bytes,
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
        .minor = 0,
        .cooperativeLaunch = 1,
    };
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    if (device != 0)
        return result(cudaErrorInvalidDevice);
    switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
        *value = MAX_BLOCK;
        break;
    case cudaDevAttrMaxSharedMemoryPerBlock:
        *value = 48 * 1024;
        break;
    case cudaDevAttrWarpSize:
        *value = WARP;
        break;
    case cudaDevAttrMultiProcessorCount:
        *value = (int)simt_sms;
        break;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
        *value = SM_THREADS;
        break;
    case cudaDevAttrComputeCapabilityMajor:
        *value = 9;
        break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
        *value = SM_SHARED;
        break;
    case cudaDevAttrCooperativeLaunch:
        *value = 1;
        break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
        *value = BLOCK_SHARED;
        break;
    case cudaDevAttrMaxBlocksPerMultiprocessor:
        *value = SM_BLOCKS;
        break;
    default: /* clocks, caches, buses: it has none */
        *value = 0;
    }
    return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(void)
{
    return cudaSuccess;
}

cudaError_t cudaDeviceReset(void)
{
    return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *version)
{
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    *version = CUDART_VERSION;
    return cudaSuccess;
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

static cudaError_t allocate(void **pointer, size_t bytes, bool host_too)
{
    *pointer = NULL;
    if (bytes == 0)
        return cudaSuccess;
    if (bytes > device_bytes - in_use)
        return result(cudaErrorMemoryAllocation);
    if (arena == 0) {
        void *range =
            mmap(NULL, arena_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (range == MAP_FAILED)
            return result(cudaErrorMemoryAllocation);
        arena = arena_top = (uintptr_t)range;
    }
    if (allocation_count == allocation_room) {
        allocation_room = allocation_room ? 2 * allocation_room : 64;
        allocations = realloc(allocations, allocation_room * sizeof *allocations);
    }
    struct allocation a = {arena_top, arena_top + bytes, host_too};
    size_t length = padded_end(&a) - a.start;
    if (length > arena + arena_bytes - arena_top ||
        mprotect((void *)arena_top, length, PROT_READ | PROT_WRITE) != 0)
        return result(cudaErrorMemoryAllocation);
    memset((void *)arena_top, 0xff, bytes);
    allocations[allocation_count++] = (struct allocation){arena_top, arena_top + bytes, host_too};
    *pointer = (void *)arena_top;
    arena_top += length; /* addresses are never used again: a stale pointer is seen */
    in_use += bytes;
    return cudaSuccess;
}

cudaError_t cudaMalloc(void **pointer, size_t bytes)
{
    return allocate(pointer, bytes, false);
}

cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream)
{
    (void)stream;
    return allocate(pointer, bytes, false);
}

cudaError_t cudaMallocHost(void **pointer, size_t bytes)
{
    return allocate(pointer, bytes, true);
}

cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned flags)
{
    (void)flags;
    return allocate(pointer, bytes, true);
}

cudaError_t cudaFree(void *pointer)
{
    if (!pointer)
        return cudaSuccess;
    const struct allocation *a = find((uintptr_t)pointer);
    if (!a || a->start != (uintptr_t)pointer)
        return result(cudaErrorInvalidValue);
    size_t i = (size_t)(a - allocations), bytes = a->end - a->start;
    race_forget(a->start, padded_end(a));
    mmap((void *)a->start, padded_end(a) - a->start, PROT_NONE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    memmove(&allocations[i], &allocations[i + 1], (allocation_count - i - 1) * sizeof *allocations);
    allocation_count--;
    in_use -= bytes;
    return cudaSuccess;
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream)
{
    (void)stream;
    return cudaFree(pointer);
}

cudaError_t cudaFreeHost(void *pointer)
{
    return cudaFree(pointer);
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
    if (!memory_is_device((uintptr_t)p))
        return !device;
    return a && bytes <= a->end - (uintptr_t)p && (device || a->host_too);
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    bool any = kind == cudaMemcpyDefault;
    bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if (bytes == 0)
        return cudaSuccess;
    if (!range_ok(to, bytes, any ? memory_is_device((uintptr_t)to) : to_device) ||
        !range_ok(from, bytes, any ? memory_is_device((uintptr_t)from) : from_device))
        return result(cudaErrorInvalidValue);
    memmove(to, from, bytes);
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    (void)stream;
    return cudaMemcpy(to, from, bytes, kind);
}

cudaError_t cudaMemset(void *to, int byte, size_t bytes)
{
    if (bytes > 0 && !range_ok(to, bytes, true))
        return result(cudaErrorInvalidValue);
    memset(to, byte, bytes);
    return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void *to, int byte, size_t bytes, cudaStream_t stream)
{
    (void)stream;
    return cudaMemset(to, byte, bytes);
}

/* ---- streams, events, graphs: everything is done at once ---- */

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    *stream = NULL;
    return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    (void)flags;
    return cudaStreamCreate(stream);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    (void)stream;
    return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    (void)stream;
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    *event = NULL;
    return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    (void)flags;
    return cudaEventCreate(event);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    (void)event, (void)stream;
    return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    (void)event;
    return cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t stop)
{
    (void)start, (void)stop;
    *ms = NAN;
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    (void)event;
    return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    (void)stream, (void)mode;
    return result(cudaErrorNotSupported);
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    (void)stream, (void)graph;
    return result(cudaErrorNotSupported);
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags)
{
    (void)exec, (void)graph, (void)flags;
    return result(cudaErrorNotSupported);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    (void)exec, (void)stream;
    return result(cudaErrorNotSupported);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    (void)exec;
    return result(cudaErrorNotSupported);
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    (void)graph;
    return result(cudaErrorNotSupported);
}
