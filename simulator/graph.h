/* graph.h: what stream.c, which captures graphs and launches them, and graph.c, which makes them
   node by node, share. */
#pragma once

#include "queue.h"
#include <stdbool.h>

/* Nodes of a graph, by their places in it. */
struct front {
    size_t *nodes, count;
};
void front_add(struct front *f, size_t node);

/* One piece of work, and a copy of what it works with. */
struct node {
    work_function run;
    void *data;
    size_t bytes;
    unsigned device;
    struct front after;
    size_t origin;        /* of an instance: its place in the graph */
    cudaGraphNode_t name; /* NULL: it was captured, and its name was never asked for */
    enum cudaGraphNodeType type;
    bool within; /* of a graph in this graph */
};

struct CUgraph_st {
    struct node *nodes;
    size_t count;
    size_t captured_from; /* cudaStreamBeginCaptureToGraph(): the nodes before are not its own */
    unsigned users;       /* the graph, streams, events; of an instance: itself */
    bool ended;           /* its capture */
    struct work *last;    /* the end of its last launch, or NULL */
};

/* Of a launch as the queue has it: its type, and that of a host function. */
cudaError_t graph_nothing(const void *data);
cudaError_t graph_host_call(const void *data);
struct host_call {
    cudaHostFn_t f;
    void *data;
};

/* A graph without nodes, or NULL; adds a node, with a copy of its data, if it can; a user less. */
cudaGraph_t graph_new(void);
bool graph_add(cudaGraph_t graph, struct node node);
void graph_let_go(cudaGraph_t graph);
/* cudaGraphAdd…Node(): data is copied. */
cudaError_t graph_add_named(cudaGraphNode_t *name, cudaGraph_t graph, const cudaGraphNode_t *after,
                            size_t count, enum cudaGraphNodeType type, work_function run,
                            const void *data, size_t bytes);
struct node *graph_node(cudaGraphNode_t name);
cudaGraphNode_t graph_name(cudaGraph_t graph, size_t place);
/* Before each launch of an instance; NULL: nothing is to be done. */
extern void (*graph_before_launch)(cudaGraph_t instance);
/* Memory of a graph: each launch makes it anew, at the same address; what it held is gone then, and
   when it ends. begins and ends: of nodes, whose data is this. */
struct graph_memory {
    void *p;
    size_t bytes;
};
cudaError_t graph_memory_make(struct graph_memory *m, size_t bytes);
bool graph_memory_of(struct graph_memory *m, const void *p);
cudaError_t graph_memory_begins(const void *data);
cudaError_t graph_memory_ends(const void *data);
/* The same nodes, each after those that it follows; NULL: there is a circle. */
cudaGraph_t graph_sorted(cudaGraph_t graph);
