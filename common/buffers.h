/* buffers.h: the memory of a run: the numbers on the host, and the arrays on the device. */
#ifndef BUFFERS_H
#define BUFFERS_H

#include <stdbool.h>
#include <stddef.h>

/* What the variants that run on one n need on the device, beside the input. */
struct needs {
    size_t out_words, scratch_floats; /* the most that one of them needs; at least 1 */
    bool work;                        /* room for n floats more: some variant eats its input */
    bool copy;                        /* some answer is n words or more: then a copy is its roof */
};

/* Device memory for one n. */
struct buffers {
    float *input;   /* the n numbers; no variant may change them */
    float *work;    /* room for n floats more, if needed; else NULL */
    float *out;     /* out_bytes */
    float *scratch; /* scratch_bytes */
    size_t scratch_bytes, out_bytes;
    float *input_block, *work_block,
        *out_block; /* as allocated: the arrays begin an offset later */
};

/* All device memory that n numbers take, in bytes: input, work, out, scratch, and what flushes the
   L2 cache. offset: floats between an aligned address and the first number. */
size_t device_bytes(const struct needs *needs, unsigned offset, size_t n);

/* Host memory for the numbers, in bytes. */
size_t data_bytes(unsigned offset, size_t n);

/* Allocates host memory for n floats that begin `offset` floats past an aligned
   address; ends the program if there is none. free_data() frees it. */
float *allocate_data(unsigned offset, size_t n);
void free_data(unsigned offset, float *data);

/* Allocates the buffers for n, fills them with NaN, and copies the n numbers in.
   Ends the program, by CUDA_CHECK, if that fails. */
void open_buffers(struct buffers *buffers, const struct needs *needs, unsigned offset,
                  const float *data, size_t n);
void close_buffers(struct buffers *buffers);

#endif
