/* measure.h: runs one variant on one n: the sum, its check, its time. */
#ifndef MEASURE_H
#define MEASURE_H

#include "buffers.h"
#include "gpus.h"
#include "result.h"

/* All that the variants of one n have in common. */
struct bench {
    const struct options *options;
    cudaStream_t stream;
    unsigned sms;
    bool timed; /* take times: not with --check, not on the simulator */
    size_t n;
    float *data;          /* the n numbers in host memory, as floats */
    enum element element; /* what was made from them in buffers, and summed in exact */
    struct exact_sum exact;
    struct buffers buffers;
    struct gpus gpus;         /* count is 0 where the lesson is about one */
    struct result read, copy; /* the roofs; runs is 0 where not measured */
};

/* Times the plain read of n elements and, if asked for and there is room for n floats of output,
   the plain copy. */
void measure_roofs(struct bench *bench, bool copy);

/* Runs the variant once with poisoned output and scratch, and checks its sum. Where
   times are taken and the sum is right, times it, cold or warm, checks the last sum
   again, and does the same in a CUDA graph for small n. row: floats of a row, 0 for none. */
void measure_variant(const struct bench *bench, const struct variant *variant, size_t row,
                     struct result *result);

/* Up to this n, a sum is also timed inside a CUDA graph. */
#define LARGEST_IN_GRAPH ((size_t)1 << 20)

#endif
