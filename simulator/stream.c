/*
 * stream.c: streams, events and graphs. All work is done when a call returns, so an event has
 * nothing to wait for, and its time is that of the machine that simulates. Only a stream that is
 * captured keeps its work in a graph, in the order of the calls; a launch of the graph does it.
 */
#include "engine.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct CUstream_st {
    int priority;
    unsigned flags;
    cudaGraph_t graph; /* being captured, or NULL */
};

struct CUevent_st {
    double recorded; /* milliseconds of a clock that only goes forward; 0: not yet */
    bool timed;
    cudaGraph_t graph; /* that its stream was captured into */
};

/* One piece of work, and a copy of what it works with. */
struct node {
    cudaError_t (*run)(const void *data);
    void *data;
};

struct CUgraph_st {
    struct node *nodes;
    size_t count;
    unsigned users; /* the graph, all that were instantiated from it, streams, events */
    bool ended;     /* its capture */
};

/* ---- streams ---- */

/* Not one of CUDA's own: NULL, cudaStreamLegacy, cudaStreamPerThread. */
static bool is_made(cudaStream_t stream)
{
    return (uintptr_t)stream > (uintptr_t)cudaStreamPerThread;
}

static void let_go(cudaGraph_t graph)
{
    if (!graph || --graph->users > 0)
        return;
    for (size_t i = 0; i < graph->count; i++)
        free(graph->nodes[i].data);
    free(graph->nodes);
    free(graph);
}

/* This stream or event belongs to that graph from now on, or to none: NULL. */
static void join(cudaGraph_t *member, cudaGraph_t graph)
{
    if (graph)
        graph->users++;
    let_go(*member);
    *member = graph;
}

static cudaGraph_t captured(cudaStream_t stream)
{
    if (!is_made(stream))
        return NULL;
    if (stream->graph && stream->graph->ended) /* another stream's capture, which it had joined */
        join(&stream->graph, NULL);
    return stream->graph;
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority)
{
    *stream = malloc(sizeof **stream);
    if (!*stream)
        return simt_error(cudaErrorMemoryAllocation);
    priority = priority > 0 ? 0 : priority < -5 ? -5 : priority;
    **stream = (struct CUstream_st){priority, flags, NULL};
    return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    if (!is_made(stream))
        return simt_error(cudaErrorInvalidResourceHandle);
    join(&stream->graph, NULL);
    free(stream);
    return cudaSuccess;
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority)
{
    *priority = is_made(stream) ? stream->priority : 0;
    return cudaSuccess;
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags)
{
    *flags = is_made(stream) ? stream->flags : 0;
    return cudaSuccess;
}

/* ---- events ---- */

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    *event = calloc(1, sizeof **event);
    if (!*event)
        return simt_error(cudaErrorMemoryAllocation);
    (*event)->timed = !(flags & cudaEventDisableTiming);
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    if (!event)
        return simt_error(cudaErrorInvalidResourceHandle);
    event->recorded = now_ms();
    join(&event->graph, captured(stream));
    return cudaSuccess;
}

/* Who waits for a captured stream is captured with it. */
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    (void)flags;
    if (!event)
        return simt_error(cudaErrorInvalidResourceHandle);
    if (event->graph && !event->graph->ended && is_made(stream))
        join(&stream->graph, event->graph);
    return cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t stop)
{
    static bool said;
    if (!start || !stop || !start->timed || !stop->timed || start->recorded == 0 ||
        stop->recorded == 0)
        return simt_error(cudaErrorInvalidResourceHandle);
    if (!said)
        fprintf(stderr, "simulator: note: the times between events are those of the simulation, "
                        "not of a GPU\n");
    said = true;
    *ms = (float)(stop->recorded - start->recorded);
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    if (!event)
        return simt_error(cudaErrorInvalidResourceHandle);
    join(&event->graph, NULL);
    free(event);
    return cudaSuccess;
}

/* ---- graphs ---- */

/* Keeps the work, with a copy of these bytes. */
static cudaError_t keep(cudaGraph_t graph, cudaError_t (*run)(const void *), const void *data,
                        size_t bytes)
{
    void *copy = malloc(bytes);
    if (!copy)
        return simt_error(cudaErrorMemoryAllocation);
    memcpy(copy, data, bytes);
    graph->nodes = simt_grow(graph->nodes, graph->count, sizeof *graph->nodes);
    graph->nodes[graph->count++] = (struct node){run, copy};
    return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    (void)mode;
    if (!is_made(stream) || captured(stream))
        return simt_error(cudaErrorStreamCaptureUnsupported);
    stream->graph = calloc(1, sizeof *stream->graph);
    if (!stream->graph)
        return simt_error(cudaErrorMemoryAllocation);
    stream->graph->users = 1;
    return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    *graph = captured(stream);
    if (!*graph)
        return simt_error(cudaErrorStreamCaptureUnmatched);
    (*graph)->ended = true;
    stream->graph = NULL; /* the caller's now */
    return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
    *status = captured(stream) ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags)
{
    (void)flags;
    if (!graph)
        return simt_error(cudaErrorInvalidValue);
    graph->users++;
    *exec = (cudaGraphExec_t)graph;
    return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    cudaGraph_t graph = (cudaGraph_t)exec;
    cudaError_t error = graph && !captured(stream) ? cudaSuccess : cudaErrorInvalidValue;
    for (size_t i = 0; error == cudaSuccess && i < graph->count; i++)
        error = graph->nodes[i].run(graph->nodes[i].data);
    return simt_error(error);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    return cudaGraphDestroy((cudaGraph_t)exec);
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    if (!graph)
        return simt_error(cudaErrorInvalidValue);
    let_go(graph);
    return cudaSuccess;
}

/* ---- work in a stream ---- */

struct copy {
    void *to;
    const void *from;
    size_t to_pitch, from_pitch, width, height;
    enum cudaMemcpyKind kind;
};

static cudaError_t run_copy(const void *data)
{
    const struct copy *c = data;
    return cudaMemcpy2D(c->to, c->to_pitch, c->from, c->from_pitch, c->width, c->height, c->kind);
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream)
{
    struct copy c = {to, from, to_pitch, from_pitch, width, height, kind};
    cudaGraph_t graph = captured(stream);
    return graph ? keep(graph, run_copy, &c, sizeof c) : run_copy(&c);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    return cudaMemcpy2DAsync(to, 0, from, 0, bytes, 1, kind, stream);
}

struct fill {
    void *to;
    int byte;
    size_t bytes;
};

static cudaError_t run_fill(const void *data)
{
    const struct fill *f = data;
    return cudaMemset(f->to, f->byte, f->bytes);
}

cudaError_t cudaMemsetAsync(void *to, int byte, size_t bytes, cudaStream_t stream)
{
    struct fill f = {to, byte, bytes};
    cudaGraph_t graph = captured(stream);
    return graph ? keep(graph, run_fill, &f, sizeof f) : run_fill(&f);
}

struct host_call {
    cudaHostFn_t f;
    void *data;
};

static cudaError_t run_host_call(const void *data)
{
    const struct host_call *c = data;
    c->f(c->data);
    return cudaSuccess;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t f, void *data)
{
    struct host_call c = {f, data};
    cudaGraph_t graph = captured(stream);
    return graph ? keep(graph, run_host_call, &c, sizeof c) : run_host_call(&c);
}

/* A launch, and behind it the bytes of its closure. */
struct kernel_launch {
    struct simt_how how;
    void (*call)(const void *);
    size_t bytes;
    _Alignas(16) char closure[];
};

static cudaError_t run_launch(const void *data)
{
    const struct kernel_launch *l = data;
    return simt_launch_now(&l->how, l->call, l->closure, l->bytes);
}

cudaError_t simt_launch_grid(const struct simt_how *how, void (*call)(const void *),
                             const void *closure, size_t bytes)
{
    cudaGraph_t graph = captured(how->stream);
    if (!graph)
        return simt_launch_now(how, call, closure, bytes);
    struct kernel_launch *l = malloc(sizeof *l + bytes);
    if (!l)
        return simt_error(cudaErrorMemoryAllocation);
    *l = (struct kernel_launch){*how, call, bytes};
    memcpy(l->closure, closure, bytes);
    cudaError_t error = keep(graph, run_launch, l, sizeof *l + bytes);
    free(l);
    return error;
}
