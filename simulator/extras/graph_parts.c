/* graph_parts.c: graphs in a graph, and graphs that run if a kernel says so. A child's nodes become
   nodes of the graph around it. The graphs of a conditional node run within its work. */
#include "device_memory.h"
#include "fault.h"
#include "graph.h"

/* ---- graphs in a graph ---- */

cudaError_t cudaGraphAddChildGraphNode(SIMT_NEW_NODE, cudaGraph_t child)
{
    cudaGraph_t copy = child && graph ? graph_sorted(child) : NULL;
    SIMT_REFUSE_IF(!copy, cudaErrorInvalidValue);
    /* what comes before is one node, so that the child's first ones have a place to begin */
    cudaGraphNode_t begin;
    cudaError_t error = graph_add_named(&begin, graph, after, count, cudaGraphNodeTypeEmpty,
                                        graph_nothing, NULL, 0);
    size_t first = graph->count;
    struct front all = {NULL, 0};
    if (error == cudaSuccess)
        graph->nodes[first - 1].within = true;
    for (size_t i = 0; error == cudaSuccess && i < copy->count; i++) {
        struct node n = copy->nodes[i];
        n.after = (struct front){NULL, 0};
        n.name = NULL;
        n.within = true;
        for (size_t j = 0; j < copy->nodes[i].after.count; j++)
            front_add(&n.after, first + copy->nodes[i].after.nodes[j]);
        if (n.after.count == 0)
            front_add(&n.after, first - 1);
        if (!graph_add(graph, n))
            error = simt_error(cudaErrorMemoryAllocation);
        front_add(&all, first + i);
    }
    if (error == cudaSuccess)
        error =
            graph_add_named(node, graph, &begin, 1, cudaGraphNodeTypeGraph, graph_nothing, NULL, 0);
    for (size_t i = 0; error == cudaSuccess && i < all.count; i++)
        front_add(&graph_node(*node)->after, all.nodes[i]);
    free(all.nodes);
    graph_let_go(copy);
    return error;
}

/* ---- conditions ---- */

static struct condition {
    unsigned value, first_value;
    bool assigned; /* before each launch */
} * conditions;
static size_t condition_count;

struct conditional {
    size_t condition;
    enum cudaGraphConditionalNodeType type;
    unsigned size;
    cudaGraph_t *bodies;
};

static cudaError_t run_conditional(const void *data);

static void assign(cudaGraph_t graph)
{
    for (size_t i = 0; i < graph->count; i++) {
        const struct conditional *c = graph->nodes[i].data;
        if (graph->nodes[i].run != run_conditional)
            continue;
        if (conditions[c->condition].assigned)
            conditions[c->condition].value = conditions[c->condition].first_value;
        for (unsigned b = 0; b < c->size; b++)
            assign(c->bodies[b]);
    }
}

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle, cudaGraph_t graph,
                                             unsigned default_value, unsigned flags)
{
    if (!graph || simt_devices > 1) /* a condition's graphs run at once, which devices do not */
        return simt_error(simt_devices > 1 ? cudaErrorNotSupported : cudaErrorInvalidValue);
    conditions = simt_grow(conditions, condition_count, sizeof *conditions);
    conditions[condition_count] =
        (struct condition){default_value, default_value, flags & cudaGraphCondAssignDefault};
    *handle = ++condition_count;
    graph_before_launch = assign;
    return cudaSuccess;
}

void simt_graph_set_conditional(cudaGraphConditionalHandle handle, unsigned value)
{
    if (handle - 1 >= condition_count)
        simt_fault(simt_self, __builtin_return_address(0),
                   "cudaGraphSetConditional() with a handle that was never created");
    conditions[handle - 1].value = value;
}

static cudaError_t run_graph(cudaGraph_t graph)
{
    cudaError_t error = cudaSuccess;
    cudaGraph_t sorted = graph_sorted(graph);
    for (size_t i = 0; sorted && error == cudaSuccess && i < sorted->count; i++)
        error = sorted->nodes[i].run(sorted->nodes[i].data);
    graph_let_go(sorted);
    return sorted ? error : simt_error(cudaErrorInvalidValue);
}

static cudaError_t run_conditional(const void *data)
{
    const struct conditional *c = data;
    const unsigned *value = &conditions[c->condition].value;
    cudaError_t error = cudaSuccess;
    if (c->type == cudaGraphCondTypeWhile)
        while (*value != 0 && error == cudaSuccess)
            error = run_graph(c->bodies[0]);
    else if (c->type == cudaGraphCondTypeIf && *value != 0)
        error = run_graph(c->bodies[0]);
    else if (c->type == cudaGraphCondTypeIf)
        error = c->size > 1 ? run_graph(c->bodies[1]) : cudaSuccess;
    else if (*value < c->size)
        error = run_graph(c->bodies[*value]);
    return error;
}

static cudaError_t add_conditional(SIMT_NEW_NODE, struct cudaConditionalNodeParams *p)
{
    struct conditional c = {(size_t)p->handle - 1, p->type, p->size, NULL};
    SIMT_REFUSE_IF(c.condition >= condition_count || p->size == 0, cudaErrorInvalidValue);
    c.bodies = calloc(p->size, sizeof *c.bodies);
    for (unsigned i = 0; c.bodies && i < p->size; i++)
        SIMT_REFUSE_IF(!(c.bodies[i] = graph_new()), cudaErrorMemoryAllocation);
    p->phGraph_out = c.bodies;
    return graph_add_named(node, graph, after, count, cudaGraphNodeTypeConditional, run_conditional,
                           &c, sizeof c);
}

/* ---- a node of any kind ---- */

cudaError_t cudaGraphAddNode(cudaGraphNode_t *name, cudaGraph_t graph, const cudaGraphNode_t *after,
                             const cudaGraphEdgeData *edges, size_t count,
                             struct cudaGraphNodeParams *p)
{
    switch (p->type) {
    case cudaGraphNodeTypeKernel:
        return cudaGraphAddKernelNode(name, graph, after, count, &p->kernel);
    case cudaGraphNodeTypeMemcpy:
        return cudaGraphAddMemcpyNode(name, graph, after, count, &p->memcpy.copyParams);
    case cudaGraphNodeTypeMemset:
        return cudaGraphAddMemsetNode(name, graph, after, count, &p->memset);
    case cudaGraphNodeTypeHost:
        return cudaGraphAddHostNode(name, graph, after, count, &p->host);
    case cudaGraphNodeTypeGraph:
        return cudaGraphAddChildGraphNode(name, graph, after, count, p->graph.graph);
    case cudaGraphNodeTypeEmpty:
        return cudaGraphAddEmptyNode(name, graph, after, count);
    case cudaGraphNodeTypeMemAlloc:
        return cudaGraphAddMemAllocNode(name, graph, after, count, &p->alloc);
    case cudaGraphNodeTypeMemFree:
        return cudaGraphAddMemFreeNode(name, graph, after, count, p->free.dptr);
    case cudaGraphNodeTypeConditional:
        return add_conditional(name, graph, after, count, &p->conditional);
    default:
        return simt_error(cudaErrorNotSupported);
    }
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path, unsigned flags)
{
    static const char *const names[] = {"kernel", "memcpy", "memset", "host",       "graph",
                                        "empty",  "wait",   "record", "?",          "?",
                                        "malloc", "free",   "?",      "conditional"};
    FILE *file = graph ? fopen(path, "w") : NULL;
    SIMT_REFUSE_IF(!file, cudaErrorInvalidValue);
    fputs("digraph {\n", file);
    for (size_t i = 0; i < graph->count; i++) {
        const struct node *n = &graph->nodes[i];
        fprintf(file, "  n%zu [label=\"%s\"];\n", i, names[n->type]);
        for (size_t j = 0; j < n->after.count; j++)
            fprintf(file, "  n%zu -> n%zu;\n", n->after.nodes[j], i);
    }
    fputs("}\n", file);
    return fclose(file) == 0 ? cudaSuccess : simt_error(cudaErrorInvalidValue);
}
