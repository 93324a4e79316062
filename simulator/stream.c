/* stream.c: streams, events and graphs. With one device all work is done when a call returns, but
   for what comes after a suspended launch (suspended.c). With several it waits in a queue
   (queue.c). A captured stream keeps its work in a graph (graph.c). */
#include "access.h"
#include "allocations.h"
#include "device_memory.h"
#include "devices.h"
#include "fault.h"
#include "graph.h"
#include "launch.h"
#include "lock.h"
#include "queue.h"
#include "summary.h"
#include "suspended.h"
#include "time/record.h"

struct CUstream_st {
    struct stream_state state; /* with several devices */
    int priority;
    unsigned flags;
    cudaGraph_t graph; /* being captured, or NULL */
    struct front front;
};

struct CUevent_st {
    double recorded; /* milliseconds of a clock that only goes forward; 0: not yet */
    bool timed;
    cudaGraph_t graph; /* that its stream was captured into */
    struct front front;
    unsigned device;
    struct work *work; /* with several devices: its last record, or NULL */
    uint64_t mark;     /* with one: what came before its last record (suspended.h) */
};

/* ---- streams ---- */

/* Not one of CUDA's own: NULL, cudaStreamLegacy, cudaStreamPerThread. */
static bool is_made(cudaStream_t stream)
{
    return (uintptr_t)stream > (uintptr_t)cudaStreamFireAndForget;
}

static void front_join(struct front *f, const struct front *other)
{
    for (size_t i = 0; i < other->count; i++) {
        bool there = false;
        for (size_t j = 0; j < f->count; j++)
            there |= f->nodes[j] == other->nodes[i];
        if (!there)
            front_add(f, other->nodes[i]);
    }
}

static void front_clear(struct front *f)
{
    free(f->nodes);
    *f = (struct front){NULL, 0};
}

/* This stream or event belongs to that graph from now on, or to none: NULL. */
static void join(cudaGraph_t *member, cudaGraph_t graph)
{
    if (graph)
        graph->users++;
    graph_let_go(*member);
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
    SIMT_REFUSE_IF(!*stream, cudaErrorMemoryAllocation);
    priority = priority > 0 ? 0 : priority < -5 ? -5 : priority;
    **stream = (struct CUstream_st){
        .state = {.device = device_current(), .apart = flags & cudaStreamNonBlocking},
        .priority = priority,
        .flags = flags,
    };
    return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    SIMT_REFUSE_IF(!is_made(stream), cudaErrorInvalidResourceHandle);
    join(&stream->graph, NULL);
    front_clear(&stream->front);
    work_drop(stream->state.last);
    free(stream);
    return cudaSuccess;
}

static struct stream_state *state_of(cudaStream_t stream)
{
    return is_made(stream) ? &stream->state : NULL;
}

static bool is_apart(cudaStream_t stream)
{
    return is_made(stream) && stream->state.apart;
}

/* With one device: all that it has been given, as a number. */
static uint64_t mark_of(cudaStream_t stream)
{
    return suspended_mark(state_of(stream), is_apart(stream));
}

static unsigned device_of(cudaStream_t stream)
{
    return is_made(stream) ? stream->state.device : device_current();
}

#define OF_A_STREAM(NAME, T, VALUE)                                                                \
    cudaError_t NAME(cudaStream_t stream, T *value)                                                \
    {                                                                                              \
        *value = VALUE;                                                                            \
        return cudaSuccess;                                                                        \
    }
OF_A_STREAM(cudaStreamGetDevice, int, (int)device_of(stream))
OF_A_STREAM(cudaStreamGetPriority, int, is_made(stream) ? stream->priority : 0)
OF_A_STREAM(cudaStreamIsCapturing, enum cudaStreamCaptureStatus,
            captured(stream) ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone)
OF_A_STREAM(cudaStreamGetFlags, unsigned, is_made(stream) ? stream->flags : 0)

/* ---- work in a stream: kept in the graph that captures it, done at once, or queued ---- */

static cudaError_t keep(cudaStream_t stream, work_function run, const void *data, size_t bytes)
{
    cudaGraph_t graph = stream->graph;
    struct node node = {.run = run, .data = (void *)data, .bytes = bytes};
    node.device = stream->state.device;
    node.type = run == launch_now            ? cudaGraphNodeTypeKernel
                : run == memory_fill         ? cudaGraphNodeTypeMemset
                : run == memory_copy         ? cudaGraphNodeTypeMemcpy
                : run == graph_memory_begins ? cudaGraphNodeTypeMemAlloc
                : run == graph_memory_ends   ? cudaGraphNodeTypeMemFree
                                             : cudaGraphNodeTypeHost;
    front_join(&node.after, &stream->front);
    front_clear(&stream->front);
    front_add(&stream->front, graph->count);
    return graph_add(graph, node) ? cudaSuccess : simt_error(cudaErrorMemoryAllocation);
}

cudaError_t stream_submit(cudaStream_t stream, unsigned device, work_function run, const void *data,
                          size_t bytes)
{
    if (captured(stream))
        return keep(stream, run, data, bytes);
    if (simt_devices == 1)
        return suspended_submit(state_of(stream), is_apart(stream), run, data, bytes);
    work_drop(queue_add(device, state_of(stream), run, data, bytes, NULL));
    return cudaSuccess;
}

/* Will it be done later, perhaps? */
static bool is_queued(cudaStream_t stream)
{
    return (simt_devices > 1 || suspended_any()) && !captured(stream);
}

static cudaError_t submit(cudaStream_t stream, work_function run, const void *data, size_t bytes)
{
    return stream_submit(stream, device_of(stream), run, data, bytes);
}

/* The same, and it is done when the call returns. */
static cudaError_t submit_and_wait(cudaStream_t stream, work_function run, const void *data,
                                   size_t bytes)
{
    if (simt_devices == 1 && !captured(stream))
        suspended_wait(mark_of(stream));
    access_not_awaited = false;
    if (simt_devices == 1 || captured(stream))
        return submit(stream, run, data, bytes);
    return queue_wait_for(queue_add(device_of(stream), state_of(stream), run, data, bytes, NULL));
}

static struct work *mark(cudaStream_t stream)
{
    return queue_add(device_of(stream), state_of(stream), NULL, NULL, 0, NULL);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    SIMT_REFUSE_IF(captured(stream), cudaErrorStreamCaptureUnsupported);
    if (simt_devices == 1)
        return suspended_synchronize(mark_of(stream));
    access_not_awaited = false;
    return queue_wait_for(mark(stream));
}

/* With one device. */
static cudaError_t query(uint64_t mark)
{
    bool done = suspended_done(mark);
    access_not_awaited = false;
    return done ? fault_of_device() : cudaErrorNotReady;
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    SIMT_REFUSE_IF(captured(stream), cudaErrorStreamCaptureUnsupported);
    if (simt_devices == 1)
        return query(mark_of(stream));
    access_not_awaited = false;
    struct work *here = mark(stream);
    bool done = queue_try(here);
    work_drop(here);
    return done ? cudaSuccess : cudaErrorNotReady;
}

/* ---- events ---- */

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    *event = calloc(1, sizeof **event);
    SIMT_REFUSE_IF(!*event, cudaErrorMemoryAllocation);
    (*event)->timed = !(flags & cudaEventDisableTiming);
    (*event)->device = device_current();
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    if (!event || (simt_devices > 1 && event->device != device_of(stream)))
        return simt_error(cudaErrorInvalidResourceHandle);
    join(&event->graph, captured(stream));
    front_clear(&event->front);
    if (event->graph)
        front_join(&event->front, &stream->front);
    event->recorded = host_now();
    event->mark = event->graph ? 0 : mark_of(stream);
    if (simt_devices == 1 || event->graph)
        return cudaSuccess;
    work_drop(event->work);
    event->work = mark(stream);
    return cudaSuccess;
}

/* A stream that waits for a captured one is captured with it. */
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    SIMT_REFUSE_IF(!event, cudaErrorInvalidResourceHandle);
    if (event->graph && !event->graph->ended && is_made(stream)) {
        if (captured(stream) != event->graph)
            front_clear(&stream->front);
        join(&stream->graph, event->graph);
        front_join(&stream->front, &event->front);
    } else if (event->work && !captured(stream)) {
        work_drop(queue_add(device_of(stream), state_of(stream), NULL, NULL, 0, event->work));
    } else if (!captured(stream) && !suspended_done(event->mark)) {
        submit(stream, NULL, NULL, 0);
    }
    return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    SIMT_REFUSE_IF(!event, cudaErrorInvalidResourceHandle);
    if (!event->work)
        return suspended_synchronize(event->mark);
    access_not_awaited = false;
    return queue_wait(event->work);
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    SIMT_REFUSE_IF(!event, cudaErrorInvalidResourceHandle);
    if (!event->work)
        return query(event->mark);
    access_not_awaited = false;
    return queue_try(event->work) ? cudaSuccess : cudaErrorNotReady;
}

static double time_of(cudaEvent_t event)
{
    return event->work ? work_ended(event->work) : event->recorded;
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t stop)
{
    static bool said;
    if (!start || !stop || !start->timed || !stop->timed || start->recorded == 0 ||
        stop->recorded == 0 || start->device != stop->device)
        return simt_error(cudaErrorInvalidResourceHandle);
    SIMT_REFUSE_IF((start->work && !work_done(start->work)) ||
                       (stop->work && !work_done(stop->work)) || !suspended_done(start->mark) ||
                       !suspended_done(stop->mark),
                   cudaErrorNotReady);
    if (!said)
        fprintf(stderr, "simulator: note: the times between events are those of the simulation, "
                        "not of a GPU\n");
    said = true;
    return SIMT_GIVE(ms, (float)(time_of(stop) - time_of(start)));
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    SIMT_REFUSE_IF(!event, cudaErrorInvalidResourceHandle);
    join(&event->graph, NULL);
    front_clear(&event->front);
    work_drop(event->work);
    free(event);
    return cudaSuccess;
}

/* ---- graphs ---- */

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    SIMT_REFUSE_IF(!is_made(stream) || captured(stream), cudaErrorStreamCaptureUnsupported);
    stream->graph = graph_new();
    SIMT_REFUSE_IF(!stream->graph, cudaErrorMemoryAllocation);
    front_clear(&stream->front);
    return cudaSuccess;
}

/* What the captured stream's next node comes after; alone: of nothing else. */
static cudaError_t follow(cudaStream_t stream, const cudaGraphNode_t *nodes, size_t count,
                          bool alone)
{
    if (alone)
        front_clear(&stream->front);
    for (size_t i = 0; i < count; i++)
        front_add(&stream->front, (size_t)(graph_node(nodes[i]) - stream->graph->nodes));
    return cudaSuccess;
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t *after,
                                          const cudaGraphEdgeData *edges, size_t count,
                                          enum cudaStreamCaptureMode mode)
{
    SIMT_REFUSE_IF(!is_made(stream) || captured(stream) || !graph, cudaErrorInvalidValue);
    graph->users++;
    graph->ended = false;
    graph->captured_from = graph->count;
    stream->graph = graph;
    return follow(stream, after, count, true);
}

/* Does all that was captured come before this? Nodes come after those that they follow. */
static bool all_joined(cudaGraph_t graph, const struct front *front)
{
    size_t joined = 0;
    bool *before = calloc(graph->count + 1, sizeof *before);
    for (size_t i = 0; before && i < front->count; i++)
        before[front->nodes[i]] = true;
    for (size_t i = 0; before && i < graph->captured_from; i++)
        before[i] = true;
    for (size_t i = graph->count; before && i-- > 0;) {
        joined += before[i];
        for (size_t j = 0; before[i] && j < graph->nodes[i].after.count; j++)
            before[graph->nodes[i].after.nodes[j]] = true;
    }
    free(before);
    return joined == graph->count;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    cudaGraph_t g = captured(stream), *result = graph ? graph : &(cudaGraph_t){0};
    *result = g;
    SIMT_REFUSE_IF(!g, cudaErrorStreamCaptureUnmatched);
    g->ended = true;
    stream->graph = NULL; /* the caller's now */
    if (all_joined(g, &stream->front))
        return cudaSuccess;
    graph_let_go(g);
    *result = NULL;
    return simt_error(cudaErrorStreamCaptureUnjoined);
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                     unsigned long long *id, cudaGraph_t *graph,
                                     const cudaGraphNode_t **nodes, const cudaGraphEdgeData **edges,
                                     size_t *count)
{
    static cudaGraphNode_t *names;
    cudaGraph_t g = captured(stream);
    size_t last = g ? stream->front.count : 0;
    names = realloc(names, (last + 1) * sizeof *names);
    for (size_t i = 0; names && i < last; i++)
        names[i] = graph_name(g, stream->front.nodes[i]);
    *(id ? id : &(unsigned long long){0}) = (uintptr_t)g;
    *(graph ? graph : &(cudaGraph_t){0}) = g;
    *(nodes ? nodes : &(const cudaGraphNode_t *){0}) = names;
    *(edges ? edges : &(const cudaGraphEdgeData *){0}) = NULL;
    *(count ? count : &(size_t){0}) = last;
    return cudaStreamIsCapturing(stream, status);
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *nodes,
                                                const cudaGraphEdgeData *edges, size_t count,
                                                unsigned flags)
{
    SIMT_REFUSE_IF(!captured(stream), cudaErrorInvalidValue);
    return follow(stream, nodes, count, flags & cudaStreamSetCaptureDependencies);
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags)
{
    *exec = graph ? (cudaGraphExec_t)graph_sorted(graph) : NULL;
    return *exec ? cudaSuccess : simt_error(cudaErrorInvalidValue);
}

/* Its nodes, each after those that it follows, between two marks in the stream. */
static cudaError_t queue_graph(cudaGraph_t graph, cudaStream_t stream)
{
    unsigned device = device_of(stream);
    bool apart = is_made(stream) && stream->state.apart;
    struct work **works = malloc((graph->count + 1) * sizeof *works);
    struct work *start = queue_add(device, state_of(stream), NULL, NULL, 0, graph->last);
    SIMT_REFUSE_IF(!works, cudaErrorMemoryAllocation);
    for (size_t i = 0; i < graph->count; i++) {
        const struct node *n = &graph->nodes[i];
        works[i] = queue_add_node(n->device, apart, n->run, n->data, n->bytes);
        if (n->after.count == 0)
            queue_after(works[i], start);
        for (size_t j = 0; j < n->after.count; j++)
            queue_after(works[i], works[n->after.nodes[j]]);
    }
    work_drop(graph->last);
    graph->last = queue_add(device, state_of(stream), NULL, NULL, 0, start);
    for (size_t i = 0; i < graph->count; i++) {
        queue_after(graph->last, works[i]);
        work_drop(works[i]);
    }
    work_drop(start);
    free(works);
    return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    cudaGraph_t graph = (cudaGraph_t)exec;
    cudaError_t error = graph && !captured(stream) ? cudaSuccess : cudaErrorInvalidValue;
    if (error == cudaSuccess && graph_before_launch)
        graph_before_launch(graph);
    if (error == cudaSuccess && simt_devices > 1)
        return queue_graph(graph, stream);
    for (size_t i = 0; error == cudaSuccess && i < graph->count; i++)
        error = submit(stream, graph->nodes[i].run, graph->nodes[i].data, graph->nodes[i].bytes);
    return simt_error(error);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    return cudaGraphDestroy((cudaGraph_t)exec);
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    SIMT_REFUSE_IF(!graph, cudaErrorInvalidValue);
    graph_let_go(graph);
    return cudaSuccess;
}

/* ---- copies ---- */

/* From memory that the caller may change at once: its bytes are taken along. */
struct parcel {
    struct copy copy;
    char bytes[];
};

static cudaError_t run_parcel(const void *data)
{
    struct copy c = ((const struct parcel *)data)->copy;
    c.from = ((const struct parcel *)data)->bytes;
    c.from_pitch = c.width;
    c.kind = cudaMemcpyDefault;
    return memory_copy(&c);
}

static cudaError_t submit_parcel(cudaStream_t stream, const struct copy *c)
{
    size_t bytes = sizeof(struct parcel) + c->width * c->height;
    struct parcel *p = malloc(bytes);
    SIMT_REFUSE_IF(!p, cudaErrorMemoryAllocation);
    p->copy = *c;
    for (size_t row = 0; row < c->height; row++)
        memcpy(p->bytes + row * c->width, (const char *)c->from + row * c->from_pitch, c->width);
    cudaError_t error = submit(stream, run_parcel, p, bytes);
    free(p);
    return error;
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream)
{
    struct copy c = {to, from, to_pitch, from_pitch, width, height, kind};
    cudaError_t error = memory_copy_error(&c);
    if (error != cudaSuccess || width == 0 || height == 0)
        return error;
    if (is_queued(stream) && memory_is_pageable(to))
        return submit_and_wait(stream, memory_copy, &c, sizeof c);
    if (is_queued(stream) && memory_is_pageable(from))
        return submit_parcel(stream, &c);
    if (!captured(stream))
        memory_arrives(&c);
    return submit(stream, memory_copy, &c, sizeof c);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    return cudaMemcpy2DAsync(to, 0, from, 0, bytes, 1, kind, stream);
}

/* how[i] is for the copies from first[i] on, up to first[i + 1]. */
cudaError_t cudaMemcpyBatchAsync(void *const *to, const void *const *from, const size_t *bytes,
                                 size_t count, struct cudaMemcpyAttributes *how, size_t *first,
                                 size_t how_many, cudaStream_t stream)
{
    bool valid = stream && stream != cudaStreamLegacy && how_many > 0 && how_many <= count;
    for (size_t i = 0; valid && i < how_many; i++)
        valid = how[i].srcAccessOrder >= cudaMemcpySrcAccessOrderStream &&
                how[i].srcAccessOrder <= cudaMemcpySrcAccessOrderAny && first[i] < count &&
                (i == 0 ? first[i] == 0 : first[i] > first[i - 1]);
    cudaError_t error = valid ? cudaSuccess : simt_error(cudaErrorInvalidValue);
    for (size_t i = 0; error == cudaSuccess && i < count; i++)
        error = cudaMemcpyAsync(to[i], from[i], bytes[i], cudaMemcpyDefault, stream);
    return error;
}

/* A copy waits for the devices that have the memory, too, as cudaMemcpyPeer() is said to. */
static void wait_for_device_of(const void *p)
{
    int device = allocation_device((uintptr_t)p);
    if (simt_devices == 1 || device < 0 || (unsigned)device == device_current())
        return;
    queue_wait_for(queue_add((unsigned)device, NULL, NULL, NULL, 0, NULL));
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t height, enum cudaMemcpyKind kind)
{
    struct copy c = {to, from, to_pitch, from_pitch, width, height, kind};
    cudaError_t error = memory_copy_error(&c);
    if (error == cudaSuccess)
        error = fault_of_device();
    if (error != cudaSuccess || width == 0 || height == 0)
        return error;
    wait_for_device_of(to);
    wait_for_device_of(from);
    return submit_and_wait(NULL, memory_copy, &c, sizeof c);
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    return cudaMemcpy2D(to, 0, from, 0, bytes, 1, kind);
}

static bool lies_on(const void *p, int device)
{
    return device >= 0 && allocation_device((uintptr_t)p) == device;
}

cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                size_t bytes, cudaStream_t stream)
{
    if (to_device < 0 || from_device < 0 || (unsigned)to_device >= simt_devices ||
        (unsigned)from_device >= simt_devices)
        return simt_error(cudaErrorInvalidDevice);
    if (bytes > 0 && (!lies_on(to, to_device) || !lies_on(from, from_device)))
        return simt_error(cudaErrorInvalidValue);
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}

cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes)
{
    wait_for_device_of(to);
    wait_for_device_of(from);
    cudaError_t error = cudaMemcpyPeerAsync(to, to_device, from, from_device, bytes, NULL);
    return error == cudaSuccess ? cudaStreamSynchronize(NULL) : error; /* later work waits for it */
}

cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int byte, size_t width, size_t height,
                              cudaStream_t stream)
{
    struct fill f = {to, pitch, width, height, byte};
    cudaError_t error = memory_fill_error(&f);
    if (error != cudaSuccess || width == 0 || height == 0)
        return error;
    return submit(stream, memory_fill, &f, sizeof f);
}

cudaError_t cudaMemsetAsync(void *to, int byte, size_t bytes, cudaStream_t stream)
{
    record_memset(bytes);
    return cudaMemset2DAsync(to, 0, byte, bytes, 1, stream);
}

cudaError_t cudaMemset2D(void *to, size_t pitch, int byte, size_t width, size_t height)
{
    return cudaMemset2DAsync(to, pitch, byte, width, height, NULL);
}

cudaError_t cudaMemset(void *to, int byte, size_t bytes)
{
    return cudaMemset2D(to, 0, byte, bytes, 1);
}

/* A variable's address is the same on all devices: the queue has the right one's there. */
struct variable_copy {
    void *to;
    const void *from;
    size_t bytes;
};

static cudaError_t run_variable_copy(const void *data)
{
    const struct variable_copy *c = data;
    memcpy(c->to, c->from, c->bytes);
    host_copies_note(c->to, c->from, c->bytes);
    return cudaSuccess;
}

void simt_copy(void *to, const void *from, size_t bytes)
{
    struct variable_copy c = {to, from, bytes};
    submit_and_wait(NULL, run_variable_copy, &c, sizeof c);
}

cudaError_t cudaMallocAsync(void **p, size_t bytes, cudaStream_t stream)
{
    unsigned chosen = device_current();
    struct graph_memory m;
    device_choose(device_of(stream));
    cudaError_t error = captured(stream) ? graph_memory_make(&m, bytes) : cudaMalloc(p, bytes);
    device_choose(chosen);
    if (error != cudaSuccess || !captured(stream))
        return error;
    *p = m.p;
    return submit(stream, graph_memory_begins, &m, sizeof m);
}

struct freed {
    void *memory;
};

static cudaError_t run_free(const void *data)
{
    return memory_free(((const struct freed *)data)->memory);
}

cudaError_t cudaFreeAsync(void *p, cudaStream_t stream)
{
    struct freed freed = {p};
    struct graph_memory m;
    if (!captured(stream))
        return submit(stream, run_free, &freed, sizeof freed);
    return graph_memory_of(&m, p) ? submit(stream, graph_memory_ends, &m, sizeof m)
                                  : simt_error(cudaErrorInvalidValue);
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *params)
{
    cudaError_t error = cudaDeviceSynchronize();
    return error == cudaSuccess ? memory_copy_slices(params) : error;
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *params, cudaStream_t stream)
{
    cudaError_t error = cudaSuccess;
    for (size_t z = 0; z < params->extent.depth && error == cudaSuccess; z++) {
        struct copy c = memory_slice(params, z);
        error = cudaMemcpy2DAsync(c.to, c.to_pitch, c.from, c.from_pitch, c.width, c.height, c.kind,
                                  stream);
    }
    return error;
}

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr p, int byte, struct cudaExtent extent,
                              cudaStream_t stream)
{
    cudaError_t error = cudaSuccess;
    for (size_t z = 0; z < extent.depth && error == cudaSuccess; z++)
        error = cudaMemset2DAsync((char *)p.ptr + z * p.ysize * p.pitch, p.pitch, byte,
                                  extent.width, extent.height, stream);
    return error;
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr p, int byte, struct cudaExtent extent)
{
    return cudaMemset3DAsync(p, byte, extent, NULL);
}

/* ---- functions of the host ---- */

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t f, void *data)
{
    struct host_call c = {f, data};
    return submit(stream, graph_host_call, &c, sizeof c);
}

struct callback {
    cudaStreamCallback_t f;
    cudaStream_t stream;
    void *data;
};

static void call_back(void *data)
{
    const struct callback *c = data;
    c->f(c->stream, cudaSuccess, c->data);
}

static cudaError_t run_callback(const void *data)
{
    struct callback c = *(const struct callback *)data;
    return graph_host_call(&(struct host_call){call_back, &c});
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t f, void *data,
                                  unsigned flags)
{
    struct callback c = {f, stream, data};
    return submit(stream, run_callback, &c, sizeof c);
}

/* ---- results that the program does not look at ---- */

static void forget_unasked(void)
{
    summary_forget(UNASKED_LAUNCH);
    summary_forget(UNASKED_ERROR);
    fault_assertion_seen(true);
}

static void unasked(enum summary_kind kind, cudaError_t error, void *pc)
{
    simt_error_asked = forget_unasked;
    if (error == cudaErrorAssert)
        fault_assertion_seen(false);
    if (error == cudaSuccess || error == cudaErrorNotReady || error == cudaErrorAssert ||
        error == cudaErrorLaunchFailure) /* these have their own lines */
        return;
    const char *why = simt_error_reason();
    summary_add(kind, pc, "%s, and the program never asked: %s: %s%s%s",
                kind == UNASKED_LAUNCH ? "CUDA refuses this launch" : "this call fails",
                cudaGetErrorName(error), cudaGetErrorString(error), why ? "; " : "",
                why ? why : "");
}

void simt_unasked_launch(cudaError_t error)
{
    unasked(UNASKED_LAUNCH, error, __builtin_return_address(0));
}

void simt_unasked(cudaError_t error)
{
    unasked(UNASKED_ERROR, error, __builtin_return_address(0));
}

/* ---- launches ---- */

cudaError_t simt_launch_grid(const struct simt_how *how, void (*call)(const void *),
                             const void *closure, size_t bytes)
{
    if (simt_running())
        return launch_child(how, call, closure, bytes);
    if (simt_devices > 1 && device_of(how->stream) != device_current())
        return simt_error(cudaErrorInvalidResourceHandle);
    if (is_queued(how->stream)) {
        cudaError_t error = launch_error(how);
        if (error != cudaSuccess)
            return error;
    }
    struct kernel_launch *l = launch_copy(how, call, closure, bytes);
    cudaError_t error = submit(how->stream, launch_now, l, sizeof *l + bytes);
    free(l);
    return error;
}

cudaError_t simt_launch_erased(const struct simt_how *how, void **arguments)
{
    struct kernel_launch *l = kernels_launch(how, arguments);
    SIMT_REFUSE_IF(!l, cudaErrorInvalidDeviceFunction);
    cudaError_t error = simt_launch_grid(how, l->call, l->closure, l->bytes);
    free(l);
    return error;
}
