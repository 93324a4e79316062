/* graph.c: graphs that are made node by node. An instance is a copy, in an order in which its nodes
   can run: under a shuffled schedule any such order, so that a dependency that is missing shows. */
#include "graph.h"
#include "access.h"
#include "allocations.h"
#include "device_memory.h"
#include "devices.h"
#include "fault.h"
#include "launch.h"
#include "lock.h"
#include "scheduler.h"

struct CUgraphNode_st {
    cudaGraph_t graph;
    size_t place;
};

void front_add(struct front *f, size_t node)
{
    f->nodes = simt_grow(f->nodes, f->count, sizeof *f->nodes);
    f->nodes[f->count++] = node;
}

cudaGraph_t graph_new(void)
{
    cudaGraph_t graph = calloc(1, sizeof *graph);
    if (graph)
        graph->users = 1;
    return graph;
}

bool graph_add(cudaGraph_t graph, struct node node)
{
    void *data = malloc(node.bytes + 1);
    if (!data)
        return false;
    if (node.bytes > 0)
        memcpy(data, node.data, node.bytes);
    node.data = data;
    graph->nodes = simt_grow(graph->nodes, graph->count, sizeof *graph->nodes);
    graph->nodes[graph->count++] = node;
    return true;
}

void graph_let_go(cudaGraph_t graph)
{
    if (!graph || --graph->users > 0)
        return;
    for (size_t i = 0; i < graph->count; i++) {
        struct node *n = &graph->nodes[i];
        free(n->data);
        free(n->after.nodes);
        if (n->name && n->name->graph == graph)
            free(n->name);
    }
    work_drop(graph->last);
    free(graph->nodes);
    free(graph);
}

/* Has each that this one comes after a place in the copy? */
static bool is_ready(const struct node *n, const size_t *places)
{
    for (size_t i = 0; i < n->after.count; i++)
        if (places[n->after.nodes[i]] == SIZE_MAX)
            return false;
    return true;
}

cudaGraph_t graph_sorted(cudaGraph_t graph)
{
    cudaGraph_t copy = graph_new();
    size_t *places = malloc((graph->count + 1) * sizeof *places);
    for (size_t i = 0; places && i < graph->count; i++)
        places[i] = SIZE_MAX;
    for (size_t done = 0; copy && places && done < graph->count; done++) {
        size_t next = SIZE_MAX, ready = 0;
        for (size_t i = 0; i < graph->count; i++)
            if (places[i] == SIZE_MAX && is_ready(&graph->nodes[i], places) &&
                (ready++ == 0 || (simt_seed != 0 && simt_random() % ready == 0)))
                next = i;
        struct node node = graph->nodes[next == SIZE_MAX ? 0 : next];
        node.after = (struct front){NULL, 0};
        node.origin = next;
        for (size_t i = 0; next != SIZE_MAX && i < graph->nodes[next].after.count; i++)
            front_add(&node.after, places[graph->nodes[next].after.nodes[i]]);
        if (next == SIZE_MAX || !graph_add(copy, node)) {
            graph_let_go(copy);
            copy = NULL;
            break;
        }
        places[next] = done;
    }
    free(places);
    return copy;
}

/* ---- nodes ---- */

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned flags)
{
    *graph = graph_new();
    return *graph ? cudaSuccess : simt_error(cudaErrorMemoryAllocation);
}

cudaGraphNode_t graph_name(cudaGraph_t graph, size_t place)
{
    struct node *n = &graph->nodes[place];
    if (!n->name && (n->name = malloc(sizeof *n->name)) != NULL)
        *n->name = (struct CUgraphNode_st){graph, place};
    return n->name;
}

static bool are_of(cudaGraph_t graph, const cudaGraphNode_t *nodes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!nodes[i] || nodes[i]->graph != graph)
            return false;
    return graph != NULL;
}

void (*graph_before_launch)(cudaGraph_t instance);

struct node *graph_node(cudaGraphNode_t name)
{
    return &name->graph->nodes[name->place];
}

cudaError_t graph_add_named(cudaGraphNode_t *name, cudaGraph_t graph, const cudaGraphNode_t *after,
                            size_t count, enum cudaGraphNodeType type, work_function run,
                            const void *data, size_t bytes)
{
    struct node node = {.run = run, .data = (void *)data, .bytes = bytes, .type = type};
    node.device = device_current();
    SIMT_REFUSE_IF(!name || !are_of(graph, after, count), cudaErrorInvalidValue);
    for (size_t i = 0; i < count; i++)
        front_add(&node.after, after[i]->place);
    SIMT_REFUSE_IF(!graph_add(graph, node), cudaErrorMemoryAllocation);
    return SIMT_GIVE(name, graph_name(graph, graph->count - 1));
}

static struct kernel_launch *node_launch(const struct cudaKernelNodeParams *p)
{
    struct simt_how how = {.grid = p->gridDim,
                           .block = p->blockDim,
                           .cluster = {1, 1, 1},
                           .shared = p->sharedMemBytes,
                           .kernel = p->func};
    return p->kernelParams || !p->extra ? kernels_launch(&how, p->kernelParams) : NULL;
}

cudaError_t cudaGraphAddKernelNode(SIMT_NEW_NODE, const struct cudaKernelNodeParams *params)
{
    struct kernel_launch *l = node_launch(params);
    SIMT_REFUSE_IF(!l, cudaErrorInvalidDeviceFunction);
    cudaError_t error = graph_add_named(node, graph, after, count, cudaGraphNodeTypeKernel,
                                        launch_now, l, sizeof *l + l->bytes);
    free(l);
    return error;
}

/* Elements of 1, 2 or 4 bytes, each the value's lowest ones. */
struct pattern {
    struct cudaMemsetParams params;
};

static cudaError_t fill_pattern(const void *data)
{
    const struct cudaMemsetParams *p = &((const struct pattern *)data)->params;
    for (size_t row = 0; row < p->height; row++)
        for (size_t i = 0; i < p->width; i++) {
            struct copy c = {(char *)p->dst + row * p->pitch + i * p->elementSize,
                             &p->value,
                             p->elementSize,
                             p->elementSize,
                             p->elementSize,
                             1,
                             cudaMemcpyDefault};
            cudaError_t error = memory_copy(&c);
            if (error != cudaSuccess)
                return error;
        }
    return cudaSuccess;
}

cudaError_t cudaGraphAddMemsetNode(SIMT_NEW_NODE, const struct cudaMemsetParams *params)
{
    const struct cudaMemsetParams *p = params;
    struct fill f = {p->dst, p->pitch, p->width * p->elementSize, p->height, (int)p->value};
    struct pattern pattern = {*p};
    if (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4)
        return simt_error(cudaErrorInvalidValue);
    if (p->elementSize == 1 || p->value == 0)
        return graph_add_named(node, graph, after, count, cudaGraphNodeTypeMemset, memory_fill, &f,
                               sizeof f);
    return graph_add_named(node, graph, after, count, cudaGraphNodeTypeMemset, fill_pattern,
                           &pattern, sizeof pattern);
}

cudaError_t cudaGraphAddMemcpyNode(SIMT_NEW_NODE, const struct cudaMemcpy3DParms *params)
{
    return graph_add_named(node, graph, after, count, cudaGraphNodeTypeMemcpy, memory_copy_slices,
                           params, sizeof *params);
}

cudaError_t cudaGraphAddMemcpyNode1D(SIMT_NEW_NODE, void *to, const void *from, size_t bytes,
                                     enum cudaMemcpyKind kind)
{
    struct copy c = {to, from, bytes, bytes, bytes, 1, kind};
    cudaError_t error = memory_copy_error(&c);
    return error == cudaSuccess
               ? graph_add_named(node, graph, after, count, cudaGraphNodeTypeMemcpy, memory_copy,
                                 &c, sizeof c)
               : error;
}

cudaError_t cudaGraphAddHostNode(SIMT_NEW_NODE, const struct cudaHostNodeParams *params)
{
    struct host_call c = {params->fn, params->userData};
    return graph_add_named(node, graph, after, count, cudaGraphNodeTypeHost, graph_host_call, &c,
                           sizeof c);
}

cudaError_t graph_nothing(const void *data)
{
    return cudaSuccess;
}

cudaError_t cudaGraphAddEmptyNode(SIMT_NEW_NODE)
{
    return graph_add_named(node, graph, after, count, cudaGraphNodeTypeEmpty, graph_nothing, NULL,
                           0);
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
                                     size_t count)
{
    SIMT_REFUSE_IF(!are_of(graph, from, count) || !are_of(graph, to, count), cudaErrorInvalidValue);
    for (size_t i = 0; i < count; i++)
        front_add(&graph->nodes[to[i]->place].after, from[i]->place);
    return cudaSuccess;
}

/* nodes: NULL asks how many there are. */
static cudaError_t list(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count, bool roots)
{
    size_t found = 0;
    for (size_t i = 0; graph && i < graph->count; i++) {
        if (graph->nodes[i].within || (roots && graph->nodes[i].after.count > 0))
            continue;
        if (nodes && found < *count)
            nodes[found] = graph_name(graph, i);
        found++;
    }
    *count = found;
    return graph ? cudaSuccess : simt_error(cudaErrorInvalidValue);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
    return list(graph, nodes, count, false);
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
    return list(graph, nodes, count, true);
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type)
{
    return SIMT_GIVE(type, node->graph->nodes[node->place].type);
}

/* ---- memory of graphs: it is theirs until the program ends ---- */

static struct graph_memory *memories;
static size_t memory_count;
static size_t memory_in_use;

bool graph_memory_of(struct graph_memory *m, const void *p)
{
    for (size_t i = 0; i < memory_count; i++)
        if (memories[i].p == p) {
            *m = memories[i];
            return true;
        }
    return false;
}

static bool keeps(const void *p)
{
    struct graph_memory m;
    return graph_memory_of(&m, p) && graph_memory_ends(&m) == cudaSuccess;
}

cudaError_t graph_memory_make(struct graph_memory *m, size_t bytes)
{
    cudaError_t error = cudaMalloc(&m->p, bytes);
    if (error != cudaSuccess)
        return error;
    m->bytes = bytes;
    memory_keeps = keeps;
    memories = simt_grow(memories, memory_count, sizeof *memories);
    memories[memory_count++] = *m;
    return cudaSuccess;
}

cudaError_t graph_memory_begins(const void *data)
{
    const struct graph_memory *m = data;
    allocation_unwrite(m->p, m->bytes);
    memory_in_use += m->bytes;
    return cudaSuccess;
}

cudaError_t graph_memory_ends(const void *data)
{
    const struct graph_memory *m = data;
    allocation_unwrite(m->p, m->bytes);
    memory_in_use -= memory_in_use < m->bytes ? memory_in_use : m->bytes;
    return cudaSuccess;
}

cudaError_t cudaGraphAddMemAllocNode(SIMT_NEW_NODE, struct cudaMemAllocNodeParams *params)
{
    struct graph_memory m;
    cudaError_t error = graph_memory_make(&m, params->bytesize);
    if (error != cudaSuccess)
        return error;
    params->dptr = m.p;
    return graph_add_named(node, graph, after, count, cudaGraphNodeTypeMemAlloc,
                           graph_memory_begins, &m, sizeof m);
}

cudaError_t cudaGraphAddMemFreeNode(SIMT_NEW_NODE, void *p)
{
    struct graph_memory m;
    SIMT_REFUSE_IF(!graph_memory_of(&m, p), cudaErrorInvalidValue);
    return graph_add_named(node, graph, after, count, cudaGraphNodeTypeMemFree, graph_memory_ends,
                           &m, sizeof m);
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attribute,
                                           void *value)
{
    size_t all = 0;
    for (size_t i = 0; i < memory_count; i++)
        all += memories[i].bytes;
    *(size_t *)value = attribute == cudaGraphMemAttrUsedMemCurrent ? memory_in_use : all;
    return cudaSuccess;
}

/* ---- other arguments ---- */

static cudaError_t change(struct node *n, const void *data, size_t bytes)
{
    void *copy = malloc(bytes + 1);
    SIMT_REFUSE_IF(!copy, cudaErrorMemoryAllocation);
    free(n->data);
    n->data = memcpy(copy, data, bytes);
    n->bytes = bytes;
    return cudaSuccess;
}

static cudaError_t change_launch(struct node *n, const struct cudaKernelNodeParams *params)
{
    struct kernel_launch *l = n && n->type == cudaGraphNodeTypeKernel ? node_launch(params) : NULL;
    SIMT_REFUSE_IF(!l, cudaErrorInvalidValue);
    cudaError_t error = change(n, l, sizeof *l + l->bytes);
    free(l);
    return error;
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                         const struct cudaKernelNodeParams *params)
{
    return change_launch(&node->graph->nodes[node->place], params);
}

/* The node of an instance. */
static struct node *instance_of(cudaGraphExec_t exec, cudaGraphNode_t name)
{
    cudaGraph_t graph = (cudaGraph_t)exec;
    for (size_t i = 0; i < graph->count; i++)
        if (graph->nodes[i].name == name)
            return &graph->nodes[i];
    return NULL;
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaKernelNodeParams *params)
{
    return change_launch(instance_of(exec, node), params);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void *to,
                                               const void *from, size_t bytes,
                                               enum cudaMemcpyKind kind)
{
    struct copy c = {to, from, bytes, bytes, bytes, 1, kind};
    struct node *n = instance_of(exec, node);
    cudaError_t error = n && n->run == memory_copy ? memory_copy_error(&c) : cudaErrorInvalidValue;
    return error == cudaSuccess ? change(n, &c, sizeof c) : simt_error(error);
}

static cudaError_t change_exec(cudaGraphExec_t exec, cudaGraphNode_t name, work_function run,
                               const void *data, size_t bytes)
{
    struct node *n = exec ? instance_of(exec, name) : NULL;
    SIMT_REFUSE_IF(!n, cudaErrorInvalidValue);
    n->run = run;
    return change(n, data, bytes);
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const struct cudaHostNodeParams *params)
{
    struct host_call c = {params->fn, params->userData};
    return change_exec(exec, node, graph_host_call, &c, sizeof c);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaMemcpy3DParms *params)
{
    return change_exec(exec, node, memory_copy_slices, params, sizeof *params);
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaMemsetParams *params)
{
    struct pattern pattern = {*params};
    return change_exec(exec, node, fill_pattern, &pattern, sizeof pattern);
}

/* Takes over what the graph's nodes do now, if they are the same nodes otherwise. */
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo *result)
{
    cudaGraph_t old = (cudaGraph_t)exec;
    bool same = old && graph && old->count == graph->count;
    for (size_t i = 0; same && i < old->count; i++) {
        const struct node *n = &graph->nodes[old->nodes[i].origin];
        same = old->nodes[i].type == n->type && old->nodes[i].after.count == n->after.count;
    }
    if (result)
        *result = (cudaGraphExecUpdateResultInfo){same ? cudaGraphExecUpdateSuccess
                                                       : cudaGraphExecUpdateErrorTopologyChanged,
                                                  NULL, NULL};
    for (size_t i = 0; same && i < old->count; i++) {
        const struct node *n = &graph->nodes[old->nodes[i].origin];
        old->nodes[i].run = n->run;
        old->nodes[i].name = n->name;
        if (change(&old->nodes[i], n->data, n->bytes) != cudaSuccess)
            return cudaErrorMemoryAllocation;
    }
    return same ? cudaSuccess : simt_error(cudaErrorGraphExecUpdateFailure);
}

cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph)
{
    *clone = graph ? graph_sorted(graph) : NULL;
    for (size_t i = 0; *clone && i < (*clone)->count; i++)
        (*clone)->nodes[i].name = NULL;
    return *clone ? cudaSuccess : simt_error(cudaErrorInvalidValue);
}

/* ---- functions of the host ---- */

cudaError_t graph_host_call(const void *data)
{
    const struct host_call *c = data;
    const unsigned not_awaited = access_not_awaited;
    access_not_awaited = false; /* by others: its stream has waited */
    if (simt_devices > 1)
        simt_unlock(); /* it may wait for other threads of the host */
    c->f(c->data);
    if (simt_devices > 1)
        simt_lock();
    access_not_awaited = not_awaited;
    return cudaSuccess;
}
