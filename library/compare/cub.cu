/*
 * cub.cu: CUB as it comes with the CUDA toolkit. Compiled a second time, with CCCL=FOLDER, it is
 * the CUB of a newer CCCL: its default, and its sum in no fixed order, which takes one launch.
 */
#include "rivals.h"
#include <cub/device/device_reduce.cuh>
#include <stdio.h>

/* CUB wants one float for each block; it gets more than it asks for at any n. */
#define STORAGE (1 << 20)

static void *storage(void)
{
    static void *memory;
    if (memory == NULL)
        CUDA_CHECK(cudaMalloc(&memory, STORAGE));
    return memory;
}

static void sum(const float *in, size_t n, float *out, cudaStream_t stream)
{
    size_t bytes = STORAGE;
    CUDA_CHECK(cub::DeviceReduce::Sum(storage(), bytes, in, out, n, stream));
}

static const char *version(void)
{
    static char text[32];
    snprintf(text, sizeof text, "CCCL %d.%d.%d", CCCL_MAJOR_VERSION, CCCL_MINOR_VERSION,
             CCCL_PATCH_VERSION);
    return text;
}

#ifndef NEWER_CCCL

extern "C" struct rival cub_rival(void)
{
    return (struct rival){"cub", version(), sum, true};
}

#else

#include <cuda/__execution/determinism.h>
#include <cuda/__execution/require.h>
#include <cuda/__stream/stream_ref.h>
#include <cuda/std/__execution/env.h>

/* Left to itself, this form of the call allocates its storage anew each time. */
struct given {
    void *allocate_sync(size_t bytes, size_t = 0)
    {
        if (bytes > STORAGE)
            CUDA_CHECK(cudaErrorMemoryAllocation);
        return storage();
    }
    void deallocate_sync(void *, size_t, size_t = 0) noexcept
    {
    }
    void *allocate(cuda::stream_ref, size_t bytes, size_t = 0)
    {
        return allocate_sync(bytes);
    }
    void deallocate(cuda::stream_ref, void *, size_t, size_t = 0) noexcept
    {
    }
    bool operator==(const given &) const
    {
        return true;
    }
    bool operator!=(const given &) const
    {
        return false;
    }
};

template <typename DETERMINISM>
static void sum_as_asked(const float *in, size_t n, float *out, cudaStream_t stream,
                         DETERMINISM determinism)
{
    namespace execution = cuda::std::execution;
    auto environment = execution::env{
        cuda::stream_ref{stream},
        execution::prop{cuda::mr::__get_memory_resource_t{}, given{}},
        cuda::execution::require(determinism),
    };
    CUDA_CHECK(cub::DeviceReduce::Sum(in, out, n, environment));
}

static void sum_in_any_order(const float *in, size_t n, float *out, cudaStream_t stream)
{
    sum_as_asked(in, n, out, stream, cuda::execution::determinism::not_guaranteed);
}

/* At most 2^31 - 1 floats: it counts them in an int. */
static void sum_on_any_gpu(const float *in, size_t n, float *out, cudaStream_t stream)
{
    sum_as_asked(in, (int)n, out, stream, cuda::execution::determinism::gpu_to_gpu);
}

extern "C" struct rival newer_cub_rival(void)
{
    return (struct rival){"cub_newer", version(), sum, true};
}

extern "C" struct rival unordered_cub_rival(void)
{
    return (struct rival){"cub_not_guaranteed", version(), sum_in_any_order, true};
}

extern "C" struct rival reproducible_cub_rival(void)
{
    return (struct rival){"cub_gpu_to_gpu", version(), sum_on_any_gpu, true};
}

#endif
