/* copies.c: takes the place of CUDA's functions in the object of a submission (program.py renames
   its calls): each counts what the host can see by it, and calls CUDA's. */
#include "runner.h"

#include <cuda_runtime_api.h>

/* cudaMemcpyDefault and a wrong kind: the address decides. */
static void count(const void *to, size_t bytes)
{
    struct cudaPointerAttributes of;
    cudaPointerGetAttributes(&of, to);
    if (of.type != cudaMemoryTypeDevice)
        copied_to_host += (double)bytes;
}

cudaError_t course_cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    if (kind != cudaMemcpyHostToHost)
        count(to, bytes);
    return cudaMemcpy(to, from, bytes, kind);
}

cudaError_t course_cudaMemcpyAsync(void *to, const void *from, size_t bytes,
                                   enum cudaMemcpyKind kind, cudaStream_t stream)
{
    if (kind != cudaMemcpyHostToHost)
        count(to, bytes);
    return cudaMemcpyAsync(to, from, bytes, kind, stream);
}

cudaError_t course_cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                                size_t width, size_t height, enum cudaMemcpyKind kind)
{
    count(to, width * height);
    return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}

cudaError_t course_cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                                     size_t width, size_t height, enum cudaMemcpyKind kind,
                                     cudaStream_t stream)
{
    count(to, width * height);
    return cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, stream);
}

cudaError_t course_cudaMallocManaged(void **p, size_t bytes, unsigned flags)
{
    copied_to_host += (double)bytes;
    return cudaMallocManaged(p, bytes, flags);
}

cudaError_t course_cudaMallocHost(void **p, size_t bytes)
{
    copied_to_host += (double)bytes;
    return cudaMallocHost(p, bytes);
}

cudaError_t course_cudaHostRegister(void *p, size_t bytes, unsigned flags)
{
    copied_to_host += (double)bytes;
    return cudaHostRegister(p, bytes, flags);
}

/* Of cudaMemcpyToSymbol() and cudaMemcpyFromSymbol(): __device__ variables lie among the program's
   own. */
void simt_copy(void *to, const void *from, size_t bytes);
extern char __data_start[], _end[];

void course_simt_copy(void *to, const void *from, size_t bytes)
{
    if ((const char *)from >= __data_start && (const char *)from < _end)
        copied_to_host += (double)bytes;
    simt_copy(to, from, bytes);
}
