/*
 * cub_rows.cu: CUB's segmented reduction, as it comes with the CUDA toolkit. Compiled a second
 * time, with CCCL=FOLDER, it is that of a newer CCCL, which has rows of one length, too.
 */
#include "cuda_errors.h"
#include "rows.h"
#include "version.h"
#include <cub/device/device_segmented_reduce.cuh>
#include <cuda/functional>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

/* CUB says how much it needs; more than before is allocated, which a graph's capture comes after.
 */
static void *storage(size_t bytes)
{
    static void *memory;
    static size_t have;
    if (bytes > have) {
        CUDA_CHECK(cudaFree(memory));
        CUDA_CHECK(cudaMalloc(&memory, bytes));
        have = bytes;
    }
    return memory;
}

typedef cub::KeyValuePair<int, float> number_and_value;

/* The same call twice: first CUB only says how many bytes it needs. */
#define CALL(FUNCTION, IN, OUT, ...)                                                               \
    do {                                                                                           \
        size_t bytes = 0;                                                                          \
        CUDA_CHECK(cub::DeviceSegmentedReduce::FUNCTION(                                           \
            NULL, bytes, (const IN *)s->in, (OUT *)question.out, __VA_ARGS__, s->stream));         \
        void *memory = storage(bytes > 0 ? bytes : 1);                                             \
        CUDA_CHECK(cub::DeviceSegmentedReduce::FUNCTION(                                           \
            memory, bytes, (const IN *)s->in, (OUT *)question.out, __VA_ARGS__, s->stream));       \
    } while (0)

/* Elements of two bytes, in floats, as the library does: the type of the operator and of the first
   value is what CUB adds in. SEGMENTS: how many, and their offsets or their length. */
template <typename T, typename... SEGMENTS>
static void in_floats(struct sum *s, SEGMENTS... segments)
{
    if (question.op == REDUCE_SUM)
        CALL(Reduce, T, float, segments..., cuda::std::plus<float>(), 0.0F);
    else
        CALL(Reduce, T, float, segments..., cuda::maximum<float>(), -INFINITY);
}

static void by_offsets(struct sum *s)
{
    const int64_t *offsets =
        question.of == OF_SEGMENTS ? question.offsets : question.offsets_of_equal;
    const int64_t rows = (int64_t)question.rows;
    if (s->element == ELEMENT_HALF)
        in_floats<__half>(s, rows, offsets, offsets + 1);
    else if (s->element == ELEMENT_BFLOAT16)
        in_floats<__nv_bfloat16>(s, rows, offsets, offsets + 1);
    else if (question.op == REDUCE_SUM)
        CALL(Sum, float, float, rows, offsets, offsets + 1);
    else if (question.op == REDUCE_MAX)
        CALL(Max, float, float, rows, offsets, offsets + 1);
    else
        CALL(ArgMax, float, number_and_value, rows, offsets, offsets + 1);
}

#ifndef NEWER_CCCL

extern const struct variant cub_rows_by_offsets = {
    .name = "cub_offsets", .what = cccl_version(), .launch = by_offsets};

#else

#if CCCL_VERSION >= 3002000 /* as the number of a release: 3.2.0 */

typedef ::cuda::std::pair<int, float> number_then_value;

static void of_one_length(struct sum *s)
{
    const int64_t rows = (int64_t)question.rows;
    const int columns = (int)question.columns;
    if (s->element == ELEMENT_HALF)
        in_floats<__half>(s, rows, columns);
    else if (s->element == ELEMENT_BFLOAT16)
        in_floats<__nv_bfloat16>(s, rows, columns);
    else if (question.op == REDUCE_SUM)
        CALL(Sum, float, float, rows, columns);
    else if (question.op == REDUCE_MAX)
        CALL(Max, float, float, rows, columns);
    else
        CALL(ArgMax, float, number_then_value, rows, columns);
}

extern const struct variant newer_cub_rows = {
    .name = "cub_newer_rows", .what = cccl_version(), .launch = of_one_length};

#endif

extern const struct variant newer_cub_rows_by_offsets = {
    .name = "cub_newer_offsets", .what = cccl_version(), .launch = by_offsets};

#endif
