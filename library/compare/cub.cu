/*
 * cub.cu: CUB as it comes with the CUDA toolkit. Compiled a second time, with CCCL=FOLDER, it is
 * the CUB of a newer CCCL: its default, its sum in no fixed order, which takes one launch, and its
 * sum that has the same bits on every GPU.
 */
#include "cuda_errors.h"
#include "rivals.h"
#include "version.h"
#include <cub/device/device_reduce.cuh>
#include <cuda/std/functional>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

/* CUB wants one sum for each block; it gets more than it asks for at any n. */
#define STORAGE (2 << 20)

static void *storage(void)
{
    static void *memory;
    if (memory == NULL)
        CUDA_CHECK(cudaMalloc(&memory, STORAGE));
    return memory;
}

/* Of the type of the elements, to a sum of that type. */
template <typename T> static void sum(struct sum *s)
{
    size_t bytes = STORAGE;
    CUDA_CHECK(
        cub::DeviceReduce::Sum(storage(), bytes, (const T *)s->in, (T *)s->out, s->n, s->stream));
}

/* The type of the operator and of the first value is what CUB adds in. */
template <typename T, typename SUM> static void reduce(struct sum *s)
{
    size_t bytes = STORAGE;
    CUDA_CHECK(cub::DeviceReduce::Reduce(storage(), bytes, (const T *)s->in, (SUM *)s->out, s->n,
                                         cuda::std::plus<SUM>(), (SUM)0, s->stream));
}

static void reduce_elements(struct sum *s)
{
    switch (s->element) {
    case ELEMENT_HALF:
        return reduce<__half, float>(s);
    case ELEMENT_BFLOAT16:
        return reduce<__nv_bfloat16, float>(s);
    case ELEMENT_DOUBLE:
        return reduce<double, double>(s);
    case ELEMENT_INT32:
        return reduce<int, long long>(s);
    default:
        return reduce<float, float>(s);
    }
}

#ifndef NEWER_CCCL

extern const struct variant cub_sum = {.name = "cub", .what = cccl_version(), .launch = sum<float>};
extern const struct variant cub_elements = {
    .name = "cub", .what = cccl_version(), .launch = reduce_elements};
extern const struct variant cub_own_half = {.name = "cub_own_type",
                                            .what = "from half to half",
                                            .launch = sum<__half>,
                                            .element = ELEMENT_HALF};
extern const struct variant cub_own_bfloat16 = {.name = "cub_own_type",
                                                .what = "from bfloat16 to bfloat16",
                                                .launch = sum<__nv_bfloat16>,
                                                .element = ELEMENT_BFLOAT16};

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

template <typename DETERMINISM> static void sum_as_asked(struct sum *s, DETERMINISM determinism)
{
    namespace execution = cuda::std::execution;
    auto environment = execution::env{
        cuda::stream_ref{s->stream},
        execution::prop{cuda::mr::__get_memory_resource_t{}, given{}},
        cuda::execution::require(determinism),
    };
    CUDA_CHECK(cub::DeviceReduce::Sum((const float *)s->in, s->out, s->n, environment));
}

static void sum_in_any_order(struct sum *s)
{
    sum_as_asked(s, cuda::execution::determinism::not_guaranteed);
}

/* At most 2^31 - 1 floats: it counts them in an int. */
static void sum_on_any_gpu(struct sum *s)
{
    sum_as_asked(s, cuda::execution::determinism::gpu_to_gpu);
}

extern const struct variant newer_cub_sum = {
    .name = "cub_newer", .what = cccl_version(), .launch = sum<float>};
extern const struct variant newer_cub_elements = {
    .name = "cub_newer", .what = cccl_version(), .launch = reduce_elements};
extern const struct variant newer_cub_unordered = {
    .name = "cub_not_guaranteed", .what = cccl_version(), .launch = sum_in_any_order};
extern const struct variant newer_cub_reproducible = {
    .name = "cub_gpu_to_gpu", .what = cccl_version(), .launch = sum_on_any_gpu};

#endif
