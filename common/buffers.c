/* buffers.c: see buffers.h. */
#include "buffers.h"

#include "check.h"
#include "cuda_errors.h"
#include "device.h"
#include "message.h"

#include <stdlib.h>

/* Elements of NaN after the input, so that a kernel that reads too far gets a wrong
   sum. The simulator needs none: it reports the access itself. */
enum { GUARD = ON_SIMULATOR ? 0 : 32, ALIGNMENT = 256 };

/* So many elements are made from the data at a time. */
#define CHUNK ((size_t)4 << 20)

static size_t input_bytes(enum element element, unsigned offset, size_t n)
{
    size_t count = n + offset + GUARD;
    return (count > 0 ? count : 1) * element_bytes(element);
}

size_t data_bytes(unsigned offset, size_t n)
{
    return input_bytes(ELEMENT_FLOAT, offset, n);
}

size_t device_bytes(const struct needs *needs, unsigned offset, size_t n)
{
    return (needs->work ? 2 : 1) * input_bytes(needs->element, offset, n) + flush_bytes() +
           input_bytes(needs->element, offset, needs->share) +
           (needs->out_words + needs->scratch_floats) * sizeof(float) +
           needs->offsets * sizeof(size_t);
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

static void copy_in(enum element element, const float *data, size_t n, char *input)
{
    size_t bytes = element_bytes(element), most = n < CHUNK ? n : CHUNK;
    if (element == ELEMENT_FLOAT) {
        CUDA_CHECK(cudaMemcpy(input, data, n * sizeof(float), cudaMemcpyHostToDevice));
        return;
    }
    char *some = malloc(most * bytes + 1);
    if (some == NULL)
        exit(complain(STATUS_USAGE, "no memory for %zu numbers: take a smaller -n", most));
    for (size_t start = 0; start < n; start += CHUNK) {
        size_t count = n - start < CHUNK ? n - start : CHUNK;
        make_elements(element, data + start, count, some);
        CUDA_CHECK(cudaMemcpy(input + start * bytes, some, count * bytes, cudaMemcpyHostToDevice));
    }
    free(some);
}

/* The address so many elements past the beginning of a block. */
static float *past(float *block, unsigned offset, size_t bytes)
{
    return (float *)((char *)block + offset * bytes);
}

void open_buffers(struct buffers *buffers, const struct needs *needs, enum element element,
                  unsigned offset, const float *data, size_t n)
{
    size_t bytes = element_bytes(element), sum_bytes = element_sum_bytes(element);
    *buffers = (struct buffers){.scratch_bytes = needs->scratch_floats * sizeof(float),
                                .out_bytes = needs->out_words * sizeof(float)};
    buffers->out_block = allocate_poisoned(buffers->out_bytes + offset * sum_bytes);
    buffers->out = past(buffers->out_block, offset, sum_bytes);
    buffers->scratch = allocate_poisoned(buffers->scratch_bytes);
    buffers->input_block = allocate_poisoned(input_bytes(element, offset, n));
    buffers->input = past(buffers->input_block, offset, bytes);
    copy_in(element, data, n, (char *)buffers->input);
    if (needs->work) {
        buffers->work_block = allocate_poisoned(input_bytes(element, offset, n));
        buffers->work = past(buffers->work_block, offset, bytes);
    }
}

void close_buffers(struct buffers *buffers)
{
    CUDA_CHECK(cudaFree(buffers->input_block));
    CUDA_CHECK(cudaFree(buffers->work_block));
    CUDA_CHECK(cudaFree(buffers->scratch));
    CUDA_CHECK(cudaFree(buffers->out_block));
}
