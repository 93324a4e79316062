#include "memory.h"

#include "check.h"
#include "device.h"
#include "gpu.h"
#include "message.h"
#include "result.h"
#include "task.h"

#include <stdlib.h>

/* Floats of NaN behind the input, so that a kernel that reads too far gets a wrong
   sum. The simulator needs none: it reports the access itself. */
enum { GUARD = ON_SIMULATOR ? 0 : 32, ALIGNMENT = 256 };

/* Whether a variant that will run on the GPU has the property. */
static bool some(const struct lesson *lesson, const struct options *options,
                 bool (*has)(const struct variant *variant))
{
    for (size_t i = 0; i < lesson->variant_count; i++) {
        if (will_run(lesson, options, i) && has(&lesson->variants[i]))
            return true;
    }
    return false;
}

static bool eats_input(const struct variant *variant)
{
    return variant->flags & EATS_INPUT;
}

size_t data_bytes(const struct options *options, size_t n)
{
    size_t floats = n + options->offset + GUARD;
    return (floats > 0 ? floats : 1) * sizeof(float);
}

static size_t scratch_bytes(const struct lesson *lesson, const struct options *options,
                            unsigned sms, size_t n)
{
    size_t most = 1;
    for (size_t i = 0; i < lesson->variant_count; i++) {
        const struct variant *v = &lesson->variants[i];
        if (!will_run(lesson, options, i) || (v->flags & ON_CPU))
            continue;
        size_t floats = scratch_floats(n, options->block, v->per_thread, sms);
        most = floats > most ? floats : most;
    }
    return most * sizeof(float);
}

/* Room for the answer of every variant that will run, at every length of a row. */
static size_t out_bytes(const struct lesson *lesson, const struct options *options, size_t n)
{
    size_t most = 1;
    for (size_t i = 0; i < lesson->variant_count; i++) {
        const struct task *task = lesson->variants[i].task;
        if (task == NULL || !will_run(lesson, options, i))
            continue;
        for (size_t r = 0; r < options->row_count; r++) {
            size_t words = task->words(n, options->rows[r]);
            most = words > most ? words : most;
        }
    }
    return most * sizeof(float);
}

size_t device_bytes(const struct lesson *lesson, const struct options *options, unsigned sms,
                    size_t n)
{
    size_t arrays = 1 + some(lesson, options, eats_input) + some(lesson, options, is_copy);
    return arrays * data_bytes(options, n) + out_bytes(lesson, options, n) +
           scratch_bytes(lesson, options, sms, n) + flush_bytes();
}

float *allocate_data(const struct options *options, size_t n)
{
    size_t bytes = (data_bytes(options, n) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    float *block = aligned_alloc(ALIGNMENT, bytes);
    if (block == NULL)
        exit(complain(STATUS_USAGE, "no memory for %zu numbers: take a smaller -n", n));
    return block + options->offset;
}

void free_data(const struct options *options, float *data)
{
    free(data - options->offset);
}

static float *allocate_poisoned(size_t bytes)
{
    void *block;
    CUDA_CHECK(cudaMalloc(&block, bytes));
    CUDA_CHECK(cudaMemset(block, POISON_BYTE, bytes));
    return block;
}

void open_buffers(struct buffers *buffers, const struct lesson *lesson,
                  const struct options *options, unsigned sms, const float *data, size_t n)
{
    *buffers = (struct buffers){.scratch_bytes = scratch_bytes(lesson, options, sms, n)};
    buffers->out_bytes = out_bytes(lesson, options, n);
    buffers->out_block = allocate_poisoned(buffers->out_bytes + options->offset * sizeof(float));
    buffers->out = buffers->out_block + options->offset;
    buffers->scratch = allocate_poisoned(buffers->scratch_bytes);
    buffers->input_block = allocate_poisoned(data_bytes(options, n));
    buffers->input = buffers->input_block + options->offset;
    CUDA_CHECK(cudaMemcpy(buffers->input, data, n * sizeof(float), cudaMemcpyHostToDevice));
    if (some(lesson, options, eats_input)) {
        buffers->work_block = allocate_poisoned(data_bytes(options, n));
        buffers->work = buffers->work_block + options->offset;
    }
}

void close_buffers(struct buffers *buffers)
{
    CUDA_CHECK(cudaFree(buffers->input_block));
    CUDA_CHECK(cudaFree(buffers->work_block));
    CUDA_CHECK(cudaFree(buffers->scratch));
    CUDA_CHECK(cudaFree(buffers->out_block));
}
