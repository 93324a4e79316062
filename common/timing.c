#include "timing.h"

#include "device.h"

#include <stdlib.h>
#include <time.h>

/* Enough runs are made once the median is known to half a percent, with 95 %
   confidence; but never fewer than the floor or more than the ceiling, and about
   a second for each measurement. */
enum { FLOOR = 15, CEILING = 200, FEWEST = 3 };
static const double tolerance = 0.005, budget_us = 1e6, hold_us = 20, graph_hold_us = 100,
                    many_hold_us = 200;

static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

/* A way to make one run and take its time in microseconds. */
struct stopwatch {
    double (*once)(const struct stopwatch *watch);
    const struct job *job;
    cudaStream_t stream;
    cudaEvent_t start, stop;
    bool cold;
    cudaGraphExec_t graph; /* what is launched if not NULL, in place of job->run */
};

static bool enough(double *times, size_t runs, double spent_us, size_t repeat)
{
    if (repeat > 0)
        return runs >= repeat;
    if (runs >= CEILING)
        return true;
    if (spent_us > budget_us)
        return runs >= FEWEST || times[0] > budget_us;
    return runs >= FLOOR && median_settled(times, runs, tolerance);
}

static struct stats measure(const struct stopwatch *watch, size_t repeat)
{
    double *times = malloc((repeat > 0 ? repeat : CEILING) * sizeof *times);
    if (times == NULL)
        abort();        /* under a megabyte: not the user's doing */
    watch->once(watch); /* a warm-up: pages, clocks, code */
    size_t runs = 0;
    double start = now_us();
    do
        times[runs++] = watch->once(watch);
    while (!enough(times, runs, now_us() - start, repeat));
    struct stats stats = summarize(times, runs);
    free(times);
    return stats;
}

static double once_on_cpu(const struct stopwatch *watch)
{
    watch->job->prepare(watch->job->context);
    double start = now_us();
    watch->job->run(watch->job->context);
    return now_us() - start;
}

/* All GPUs are ready, and the first is held until the host has queued the run on each of them, one
   after the other. */
static void hold_gpus(const struct stopwatch *watch, const struct gpus *gpus)
{
    for (unsigned g = 0; watch->cold && g < gpus->count; g++) {
        CUDA_CHECK(cudaSetDevice(gpus->shares[g].device));
        flush_l2(gpus->shares[g].stream);
    }
    join_gpus(gpus);
    hold_stream(watch->stream, (unsigned)many_hold_us);
}

static void run_on_gpus(const struct job *job)
{
    if (job->gpus != NULL)
        fork_gpus(job->gpus);
    job->run(job->context);
    if (job->gpus != NULL)
        join_gpus(job->gpus);
}

static double once_on_gpu(const struct stopwatch *watch)
{
    float milliseconds;
    watch->job->prepare(watch->job->context);
    if (watch->job->gpus != NULL)
        hold_gpus(watch, watch->job->gpus);
    else if (watch->cold)
        flush_l2(watch->stream);
    else
        hold_stream(watch->stream, (unsigned)(watch->graph != NULL ? graph_hold_us : hold_us));
    CUDA_CHECK(cudaEventRecord(watch->start, watch->stream));
    if (watch->graph != NULL)
        CUDA_CHECK(cudaGraphLaunch(watch->graph, watch->stream));
    else
        run_on_gpus(watch->job);
    CUDA_CHECK(cudaEventRecord(watch->stop, watch->stream));
    CUDA_CHECK(cudaEventSynchronize(watch->stop));
    CUDA_CHECK(cudaEventElapsedTime(&milliseconds, watch->start, watch->stop));
    return (double)milliseconds * 1e3;
}

/* A GPU that was idle needs some time to raise its clocks: keep it busy for a
   fifth of a second, before the first measurement of the process. */
static void wake_gpu(cudaStream_t stream)
{
    static bool awake;
    for (double start = now_us(); !awake && now_us() - start < 2e5;) {
        flush_l2(stream);
        CUDA_CHECK(cudaStreamSynchronize(stream));
    }
    awake = true;
}

static struct stats measure_on_gpu(struct stopwatch *watch, size_t repeat)
{
    wake_gpu(watch->stream);
    watch->once = once_on_gpu;
    CUDA_CHECK(cudaEventCreate(&watch->start));
    CUDA_CHECK(cudaEventCreate(&watch->stop));
    struct stats stats = measure(watch, repeat);
    CUDA_CHECK(cudaEventDestroy(watch->start));
    CUDA_CHECK(cudaEventDestroy(watch->stop));
    return stats;
}

struct stats time_on_gpu(const struct job *job, cudaStream_t stream, bool cold, size_t repeat)
{
    struct stopwatch watch = {.job = job, .stream = stream, .cold = cold};
    return measure_on_gpu(&watch, repeat);
}

struct stats time_on_cpu(const struct job *job, size_t repeat)
{
    struct stopwatch watch = {.once = once_on_cpu, .job = job};
    return measure(&watch, repeat);
}

cudaGraphExec_t capture_graph(const struct job *job, cudaStream_t stream)
{
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    if (job->gpus != NULL)
        fork_gpus(job->gpus);
    for (int i = 0; i < SUMS_PER_GRAPH; i++)
        job->run(job->context);
    if (job->gpus != NULL)
        join_gpus(job->gpus);
    CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
    CUDA_CHECK(cudaGraphInstantiate(&executable, graph, 0));
    CUDA_CHECK(cudaGraphDestroy(graph));
    return executable;
}

struct stats time_graph(const struct job *job, cudaGraphExec_t graph, cudaStream_t stream,
                        size_t repeat)
{
    struct stopwatch watch = {.job = job, .stream = stream, .graph = graph};
    struct stats stats = measure_on_gpu(&watch, repeat);
    stats.median /= SUMS_PER_GRAPH;
    stats.min /= SUMS_PER_GRAPH;
    stats.p90 /= SUMS_PER_GRAPH;
    return stats;
}
