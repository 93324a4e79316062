/* gpus.h: the GPUs of a run, where a lesson is about several (step 14): which they are, each one's
   share of the numbers in its own memory, and how work on all of them begins and ends together. */
#ifndef GPUS_H
#define GPUS_H

#include "machine.h"
#include "options.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gpus {
    unsigned count;
    struct share shares[MAX_GPUS]; /* streams from open_gpus() on, arrays from open_shares() on */
    cudaEvent_t begin, end[MAX_GPUS];                  /* begin: of the first GPU */
    float *in_blocks[MAX_GPUS], *out_blocks[MAX_GPUS]; /* as allocated */
};

/* Before the first call of CUDA: what a program for several GPUs needs. */
void prepare_for_gpus(const struct options *options);

/* Says in *machine how many GPUs there are from options->device on, or as many as were asked for,
   and whether they reach each other's memory. Returns -1, or 2 after one line if there are fewer.
 */
int find_gpus(const struct options *options, struct machine *machine);

/* The elements of share g, if n of them are dealt out among `count` GPUs. */
size_t share_size(const struct options *options, unsigned count, size_t n, unsigned g);

/* Streams and events. The first GPU's stream is the caller's, and that GPU is current afterwards.
 */
void open_gpus(struct gpus *gpus, const struct options *options, unsigned count,
               cudaStream_t stream);
void close_gpus(struct gpus *gpus);

/* The arrays: fills each share's memory with NaN, then copies its part of the n floats in. Ends the
   program, by CUDA_CHECK, if that fails. */
void open_shares(struct gpus *gpus, const struct options *options, const float *data, size_t n);
void close_shares(struct gpus *gpus);

/* Fills each share's out with the bytes of no sum (check.h), in its stream. */
void poison_outputs(const struct gpus *gpus);

/* The first GPU becomes the current one. */
void return_to_first(const struct gpus *gpus);

/* What comes after this in the streams of the others waits for what is in the first one's now; and
   the other way round. Both work in a capture, too: the others' streams are part of it then. */
void fork_gpus(const struct gpus *gpus);
void join_gpus(const struct gpus *gpus);

#ifdef __cplusplus
}
#endif
#endif
