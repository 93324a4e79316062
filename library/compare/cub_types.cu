/*
 * cub_types.cu: see cub_types.h. Compiled a second time, with CCCL=FOLDER, it is the CUB of a newer
 * CCCL.
 */
#include "cub_types.h"
#include <cub/device/device_reduce.cuh>
#include <cuda/std/functional>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <stdio.h>

/* CUB wants one sum for each block; it gets more than it asks for at any n. */
#define STORAGE (2 << 20)

static void *storage(void)
{
    static void *memory;
    if (memory == NULL)
        CUDA_CHECK(cudaMalloc(&memory, STORAGE));
    return memory;
}

/* The type of the operator and of the first value is what CUB adds in. */
template <typename T, typename SUM>
static void reduce(const void *in, size_t n, void *out, cudaStream_t stream)
{
    size_t bytes = STORAGE;
    CUDA_CHECK(cub::DeviceReduce::Reduce(storage(), bytes, (const T *)in, (SUM *)out, n,
                                         cuda::std::plus<SUM>(), (SUM)0, stream));
}

static type_sum sum_of_element(enum element element)
{
    switch (element) {
    case ELEMENT_HALF:
        return reduce<__half, float>;
    case ELEMENT_BFLOAT16:
        return reduce<__nv_bfloat16, float>;
    case ELEMENT_DOUBLE:
        return reduce<double, double>;
    case ELEMENT_INT32:
        return reduce<int, long long>;
    default:
        return reduce<float, float>;
    }
}

static const char *version(void)
{
    static char text[32];
    snprintf(text, sizeof text, "CCCL %d.%d.%d", CCCL_MAJOR_VERSION, CCCL_MINOR_VERSION,
             CCCL_PATCH_VERSION);
    return text;
}

#ifdef NEWER_CCCL

extern "C" type_sum newer_cub_sum_of(enum element element)
{
    return sum_of_element(element);
}

extern "C" const char *newer_cub_types_version(void)
{
    return version();
}

#else

template <typename T>
static void sum_to_own_type(const void *in, size_t n, void *out, cudaStream_t stream)
{
    size_t bytes = STORAGE;
    CUDA_CHECK(cub::DeviceReduce::Sum(storage(), bytes, (const T *)in, (T *)out, n, stream));
}

extern "C" type_sum cub_own_sum_of(enum element element)
{
    return element == ELEMENT_HALF       ? sum_to_own_type<__half>
           : element == ELEMENT_BFLOAT16 ? sum_to_own_type<__nv_bfloat16>
                                         : NULL;
}

extern "C" type_sum cub_sum_of(enum element element)
{
    return sum_of_element(element);
}

extern "C" const char *cub_types_version(void)
{
    return version();
}

#endif
