/* memory.h: the memory of a run. */
#ifndef MEMORY_H
#define MEMORY_H

#include "options.h"

/* Device memory for one n. */
struct buffers {
    float *input;   /* the n numbers; no variant may change them */
    float *work;    /* room for n floats more, if some variant eats its input; else NULL */
    float *out;     /* out_bytes: one float, or the most words that a task has */
    float *scratch; /* scratch_bytes */
    size_t scratch_bytes, out_bytes;
    float *input_block, *work_block,
        *out_block; /* as allocated: the arrays begin an offset later */
};

/* All device memory that a run of n numbers takes, in bytes. */
size_t device_bytes(const struct lesson *lesson, const struct options *options, unsigned sms,
                    size_t n);

/* Host memory for the numbers, in bytes. */
size_t data_bytes(const struct options *options, size_t n);

/* Allocates host memory for n floats that begin options->offset floats past an
   aligned address; ends the program if there is none. free_data() frees it. */
float *allocate_data(const struct options *options, size_t n);
void free_data(const struct options *options, float *data);

/* Allocates the buffers for n, fills them with NaN, and copies the n numbers in.
   Ends the program, by CUDA_CHECK, if that fails. */
void open_buffers(struct buffers *buffers, const struct lesson *lesson,
                  const struct options *options, unsigned sms, const float *data, size_t n);
void close_buffers(struct buffers *buffers);

#endif
