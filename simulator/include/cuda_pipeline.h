/* cuda_pipeline.h: asynchronous copies of a thread in C. */
#pragma once

#include "simt_async.h"

/* bytes: 4, 8 or 16; the last `zeros` of them are 0 and not read. */
SIMT_INLINE void __pipeline_memcpy_async(void *to, const void *from, size_t bytes, size_t zeros = 0)
{
    assert(bytes == 4 || bytes == 8 || bytes == 16);
    if (zeros == 0)
        simt_async_copy(to, from, bytes);
    for (size_t i = 0; zeros > 0 && i < bytes; i++)
        ((char *)to)[i] = i < bytes - zeros ? ((const char *)from)[i] : 0;
}
SIMT_INLINE void __pipeline_commit() { simt_async_commit(); }
SIMT_INLINE void __pipeline_wait_prior(size_t left) { simt_async_wait((unsigned)left); }
