/* pairs.h: the times of two ways to sum, alternating, so that both see the same GPU. */
#ifndef PAIRS_H
#define PAIRS_H

#include "lesson.h"

enum launch {
    GRAPH, /* many sums, one after the other, in a CUDA graph: the time of one */
    PLAIN, /* many calls, one after the other, on a stream: the time of one */
    SINGLE /* one call between two events */
};

struct setting {
    size_t n;
    unsigned offset; /* elements between an aligned address and the first */
    enum launch launch;
    bool cold; /* no sum finds its numbers in the L2 cache: that is emptied before, and sums that
                  follow one another have numbers of their own. Else all sum the same */
    size_t element_bytes;
};

/* Where the numbers are: `floats` of them in device memory, aligned to 256 bytes. */
struct field {
    const float *in;
    size_t floats; /* 64 more than the largest n, of floats */
    float *out;    /* room for a sum of any type */
    cudaStream_t stream;
};

/* Queues one sum on the field's stream. */
struct way {
    void (*sum)(void *context, const float *in, size_t n, float *out, cudaStream_t stream);
    void *context;
};

struct outcome {
    double us[2];            /* medians, microseconds for one sum */
    double ratio, low, high; /* median of us[0] / us[1], pair by pair, and its 95 % interval */
    size_t rounds;
};

/* Times both ways in rounds, every other round in the other order. Ends the program, by CUDA_CHECK,
   on a CUDA error. */
struct outcome measure_pair(const struct field *field, const struct setting *setting,
                            const struct way ways[2]);

/* The median time of one way alone, microseconds for one sum. */
double measure_way(const struct field *field, const struct setting *setting, const struct way *way);

/* Numbers for the field: uniform ones, `floats` of them, on the device and, in *host, on the host
   (to be freed). Ends the program, after one line, if there is no memory. */
struct field make_field(size_t floats, float **host);

#endif
