/* buffers.c: see buffers.h. */
#include "buffers.h"

#include "check.h"
#include "cuda_errors.h"
#include "device.h"
#include "message.h"

#include <stdlib.h>

/* Floats of NaN behind the input, so that a kernel that reads too far gets a wrong
   sum. The simulator needs none: it reports the access itself. */
enum { GUARD = ON_SIMULATOR ? 0 : 32, ALIGNMENT = 256 };

size_t data_bytes(unsigned offset, size_t n)
{
    size_t floats = n + offset + GUARD;
    return (floats > 0 ? floats : 1) * sizeof(float);
}

size_t device_bytes(const struct needs *needs, unsigned offset, size_t n)
{
    return (needs->work ? 2 : 1) * data_bytes(offset, n) + flush_bytes() +
           (needs->out_words + needs->scratch_floats) * sizeof(float);
}

float *allocate_data(unsigned offset, size_t n)
{
    size_t bytes = (data_bytes(offset, n) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    float *block = aligned_alloc(ALIGNMENT, bytes);
    if (block == NULL)
        exit(complain(STATUS_USAGE, "no memory for %zu numbers: take a smaller -n", n));
    return block + offset;
}

void free_data(unsigned offset, float *data)
{
    free(data - offset);
}

static float *allocate_poisoned(size_t bytes)
{
    void *block;
    CUDA_CHECK(cudaMalloc(&block, bytes));
    CUDA_CHECK(cudaMemset(block, POISON_BYTE, bytes));
    return block;
}

void open_buffers(struct buffers *buffers, const struct needs *needs, unsigned offset,
                  const float *data, size_t n)
{
    *buffers = (struct buffers){.scratch_bytes = needs->scratch_floats * sizeof(float),
                                .out_bytes = needs->out_words * sizeof(float)};
    buffers->out_block = allocate_poisoned(buffers->out_bytes + offset * sizeof(float));
    buffers->out = buffers->out_block + offset;
    buffers->scratch = allocate_poisoned(buffers->scratch_bytes);
    buffers->input_block = allocate_poisoned(data_bytes(offset, n));
    buffers->input = buffers->input_block + offset;
    CUDA_CHECK(cudaMemcpy(buffers->input, data, n * sizeof(float), cudaMemcpyHostToDevice));
    if (needs->work) {
        buffers->work_block = allocate_poisoned(data_bytes(offset, n));
        buffers->work = buffers->work_block + offset;
    }
}

void close_buffers(struct buffers *buffers)
{
    CUDA_CHECK(cudaFree(buffers->input_block));
    CUDA_CHECK(cudaFree(buffers->work_block));
    CUDA_CHECK(cudaFree(buffers->scratch));
    CUDA_CHECK(cudaFree(buffers->out_block));
}
