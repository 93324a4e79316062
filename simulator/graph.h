/*
 * graph.h: what stream.c, which captures graphs and launches them, and graph.c, which makes them
 * node by node, share.
 */
#ifndef SIMT_GRAPH_H
#define SIMT_GRAPH_H

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
};

struct CUgraph_st {
    struct node *nodes;
    size_t count;
    unsigned users;    /* the graph, streams, events; of an instance: itself */
    bool ended;        /* its capture */
    struct work *last; /* the end of its last launch, or NULL */
};

/* Of a launch as the queue has it: its type, and that of a host function. */
cudaError_t graph_host_call(const void *data);
struct host_call {
    cudaHostFn_t f;
    void *data;
};

/* A graph without nodes, or NULL; takes over one more node, whose data is copied: false without
   memory; one user less. */
cudaGraph_t graph_new(void);
bool graph_add(cudaGraph_t graph, struct node node);
void graph_let_go(cudaGraph_t graph);
/* The same nodes, each after those that it follows; NULL: there is a circle. */
cudaGraph_t graph_sorted(cudaGraph_t graph);

#endif
