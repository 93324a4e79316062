/* timing.h: how long something takes, on the GPU and on the CPU. */
#ifndef TIMING_H
#define TIMING_H

#include "gpus.h"
#include "stats.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is timed. On the GPU both functions only queue work on one stream. */
struct job {
    void (*prepare)(void *context); /* before each run, outside the timed region */
    void (*run)(void *context);
    void *context;
    const struct gpus
        *gpus; /* NULL, or on which GPUs' streams: the first GPU's is the one below. The
                  others begin when it does, and it ends when the last of them has */
};

/* Sums in one CUDA graph. */
enum { SUMS_PER_GRAPH = 64 };

/* Microseconds of one run between two CUDA events, over many runs. cold: the L2
   cache is flushed before each; else the GPU is kept busy for a moment, so that
   the events and the run are queued by the time it gets to them. repeat: how many
   runs; 0 for as many as the median needs to settle. Ends the program, by
   CUDA_CHECK, on a CUDA error. */
struct stats time_on_gpu(const struct job *job, cudaStream_t stream, bool cold, size_t repeat);

/* Microseconds of one run by the host's monotonic clock. */
struct stats time_on_cpu(const struct job *job, size_t repeat);

/* A CUDA graph of SUMS_PER_GRAPH runs, one after the other, made by capturing
   the stream; the runs must not wait for the device. To be freed with
   cudaGraphExecDestroy(). */
cudaGraphExec_t capture_graph(const struct job *job, cudaStream_t stream);

/* Microseconds of one run inside such a graph: the time of the graph, by events,
   divided by SUMS_PER_GRAPH. prepare is called before each graph, not each run. */
struct stats time_graph(const struct job *job, cudaGraphExec_t graph, cudaStream_t stream,
                        size_t repeat);

#ifdef __cplusplus
}
#endif

#endif
