/* buffers.h: the memory of a run: the numbers on the host, and the arrays on the device. */
#ifndef BUFFERS_H
#define BUFFERS_H

#include "element.h"

/* What the variants that run on one n need on the device, beside the input. */
struct needs {
    size_t out_words, scratch_floats; /* the most that one of them needs; at least 1 */
    enum element element;             /* the largest elements among theirs */
    bool work;      /* room for n floats more: some variant overwrites its input */
    size_t offsets; /* rows, where they are ragged */
    size_t share;   /* elements of the first GPU's share, where there are shares */
    bool copy;      /* some answer is n words or more: then a copy is its roof */
};

/* Device memory for one n. */
struct buffers {
    float *input;   /* the n elements; no variant may change them */
    float *work;    /* room for n floats more, if needed; else NULL */
    float *out;     /* out_bytes */
    float *scratch; /* scratch_bytes */
    size_t scratch_bytes, out_bytes;
    float *input_block, *work_block,
        *out_block; /* as allocated: the arrays begin an offset later */
};

/* All device memory that n numbers take, in bytes: input, work, out, scratch, and what flushes the
   L2 cache. offset: elements between an aligned address and the first. */
size_t device_bytes(const struct needs *needs, unsigned offset, size_t n);

/* Host memory for the numbers, in bytes: floats, whatever elements are made from them. */
size_t data_bytes(unsigned offset, size_t n);

/* Allocates host memory for n floats that begin `offset` floats past an aligned
   address; ends the program if there is none. free_data() frees it. */
float *allocate_data(unsigned offset, size_t n);
void free_data(unsigned offset, float *data);

/* Allocates the buffers for n, fills them with NaN, and copies in the n elements of this type that
   are made from data. Ends the program, by CUDA_CHECK, if that fails. */
void open_buffers(struct buffers *buffers, const struct needs *needs, enum element element,
                  unsigned offset, const float *data, size_t n);
void close_buffers(struct buffers *buffers);

#endif
