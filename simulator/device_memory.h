/* device_memory.h: copies and fills as a stream keeps them: those of 2D. */
#pragma once

#include <cuda_runtime_api.h>
#include <stdbool.h>

struct copy {
    void *to;
    const void *from;
    size_t to_pitch, from_pitch, width, height;
    enum cudaMemcpyKind kind;
};
struct fill {
    void *to;
    size_t pitch, width, height;
    int byte;
};
cudaError_t memory_copy_error(const struct copy *copy); /* may they be asked to? */
cudaError_t memory_fill_error(const struct fill *fill);
cudaError_t memory_copy(const void *copy); /* now */
/* That copy is asynchronous: what it brings from a device to pinned memory the host must wait for.
 */
void memory_arrives(const struct copy *c);
cudaError_t memory_fill(const void *fill);
/* Slice z of a copy in three dimensions; all of them, now. memory_without_arrays: puts memory in
   place of CUDA arrays, if there are any (extras/texture.c). */
extern void (*memory_without_arrays)(struct cudaMemcpy3DParms *p);
struct copy memory_slice(const struct cudaMemcpy3DParms *p, size_t z);
cudaError_t memory_copy_slices(const void *cudaMemcpy3DParms);
cudaError_t memory_free(void *p);
/* NULL, or: keeps p, though the program gives it back. */
extern bool (*memory_keeps)(const void *p);
bool memory_is_pageable(const void *p); /* of the host, and unknown to CUDA */
