/* simt_graph.h: graphs that are made node by node, and copies of boxes, for C and C++ (../graph.c).
   A node comes after those that it names. Another way to make them is to capture a stream. */
#pragma once

#include "cuda_runtime_api.h"
#pragma GCC system_header /* no warnings about arguments that are not used */

#ifdef __cplusplus
extern "C" {
#endif

SIMT_ENUM(cudaGraphNodeType, cudaGraphNodeTypeKernel, cudaGraphNodeTypeMemcpy,
          cudaGraphNodeTypeMemset, cudaGraphNodeTypeHost, cudaGraphNodeTypeGraph,
          cudaGraphNodeTypeEmpty, cudaGraphNodeTypeWaitEvent, cudaGraphNodeTypeEventRecord,
          cudaGraphNodeTypeMemAlloc = 10, cudaGraphNodeTypeMemFree,
          cudaGraphNodeTypeConditional = 13)
struct cudaKernelNodeParams {
    void *func;
    dim3 gridDim, blockDim;
    unsigned sharedMemBytes;
    void **kernelParams, **extra;
};
struct cudaMemsetParams {
    void *dst;
    size_t pitch; /* bytes; width: elements */
    unsigned value, elementSize;
    size_t width, height;
};
struct cudaHostNodeParams {
    cudaHostFn_t fn;
    void *userData;
};
struct cudaMemAllocNodeParams {
    struct cudaMemPoolProps poolProps;
    const struct cudaMemAccessDesc *accessDescs;
    size_t accessDescCount, bytesize;
    void *dptr; /* CUDA's answer */
};
SIMT_ENUM(cudaGraphMemAttributeType, cudaGraphMemAttrUsedMemCurrent, cudaGraphMemAttrUsedMemHigh,
          cudaGraphMemAttrReservedMemCurrent, cudaGraphMemAttrReservedMemHigh)
#define cudaGraphInstantiateFlagAutoFreeOnLaunch 1ull
#define cudaGraphInstantiateFlagUpload           2ull
#define cudaGraphInstantiateFlagDeviceLaunch     4ull
#define cudaGraphInstantiateFlagUseNodePriority  8ull
struct cudaPos {
    size_t x, y, z;
};
struct cudaExtent {
    size_t width, height, depth;
};
struct cudaPitchedPtr {
    void *ptr;
    size_t pitch, xsize, ysize;
};
typedef struct cudaArray *cudaArray_t;
/* With an array: all that counts in x counts its elements, else bytes. */
struct cudaMemcpy3DParms {
    cudaArray_t srcArray;
    struct cudaPos srcPos;
    struct cudaPitchedPtr srcPtr;
    cudaArray_t dstArray;
    struct cudaPos dstPos;
    struct cudaPitchedPtr dstPtr;
    struct cudaExtent extent;
    enum cudaMemcpyKind kind;
};
static inline struct cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
    struct cudaPos p = {x, y, z};
    return p;
}
static inline struct cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth)
{
    struct cudaExtent e = {width, height, depth};
    return e;
}
static inline struct cudaPitchedPtr make_cudaPitchedPtr(void *p, size_t pitch, size_t x, size_t y)
{
    struct cudaPitchedPtr result = {p, pitch, x, y};
    return result;
}
cudaError_t cudaMalloc3D(struct cudaPitchedPtr *p, struct cudaExtent extent);
cudaError_t cudaMemset3D(struct cudaPitchedPtr p, int byte, struct cudaExtent extent);
cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr p, int byte, struct cudaExtent extent,
                              cudaStream_t stream SIMT_OR(NULL));
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *params);
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *params,
                              cudaStream_t stream SIMT_OR(NULL));

typedef struct {
    unsigned char from_port, to_port, type, reserved[5];
} cudaGraphEdgeData;
typedef enum cudaGraphExecUpdateResult {
    cudaGraphExecUpdateSuccess,
    cudaGraphExecUpdateError,
    cudaGraphExecUpdateErrorTopologyChanged,
} cudaGraphExecUpdateResult;
typedef struct {
    cudaGraphExecUpdateResult result;
    cudaGraphNode_t errorNode, errorFromNode;
} cudaGraphExecUpdateResultInfo;

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned flags);
/* What all functions take first that add a node. */
#define SIMT_NEW_NODE                                                                              \
    cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count
cudaError_t cudaGraphAddKernelNode(SIMT_NEW_NODE, const struct cudaKernelNodeParams *params);
cudaError_t cudaGraphAddMemsetNode(SIMT_NEW_NODE, const struct cudaMemsetParams *params);
cudaError_t cudaGraphAddMemcpyNode(SIMT_NEW_NODE, const struct cudaMemcpy3DParms *params);
cudaError_t cudaGraphAddMemcpyNode1D(SIMT_NEW_NODE, void *to, const void *from, size_t bytes,
                                     enum cudaMemcpyKind kind);
cudaError_t cudaGraphAddHostNode(SIMT_NEW_NODE, const struct cudaHostNodeParams *params);
cudaError_t cudaGraphAddEmptyNode(SIMT_NEW_NODE);
/* to[i] comes after from[i], too. */
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
                                     size_t count);
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count);
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count);
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type);
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                         const struct cudaKernelNodeParams *params);
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaKernelNodeParams *params);
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void *to,
                                               const void *from, size_t bytes,
                                               enum cudaMemcpyKind kind);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo *result);
cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph);

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const struct cudaHostNodeParams *params);
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaMemcpy3DParms *params);
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaMemsetParams *params);

/* ---- memory of a graph: each launch makes it anew, at the same address ---- */

cudaError_t cudaGraphAddMemAllocNode(SIMT_NEW_NODE, struct cudaMemAllocNodeParams *params);
cudaError_t cudaGraphAddMemFreeNode(SIMT_NEW_NODE, void *p);
cudaError_t cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attribute,
                                           void *value); /* a number of bytes */
static inline cudaError_t
cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attribute, void *value)
{
    return cudaSuccess;
}
static inline cudaError_t cudaDeviceGraphMemTrim(int device) { return cudaSuccess; }

/* ---- graphs in a graph, and those that run if a kernel says so (../extras/graph_parts.c) ---- */

typedef unsigned long long cudaGraphConditionalHandle;
enum cudaGraphConditionalHandleFlags { cudaGraphCondAssignDefault = 1 };
enum cudaGraphConditionalNodeType {
    cudaGraphCondTypeIf, /* size 2: the second graph runs if the value is 0 */
    cudaGraphCondTypeWhile,
    cudaGraphCondTypeSwitch,
};
struct cudaConditionalNodeParams {
    cudaGraphConditionalHandle handle;
    enum cudaGraphConditionalNodeType type;
    unsigned size;
    cudaGraph_t *phGraph_out; /* CUDA's answer: so many empty graphs */
};
struct cudaChildGraphNodeParams {
    cudaGraph_t graph;
};
struct cudaMemcpyNodeParams {
    int flags, reserved[3];
    struct cudaMemcpy3DParms copyParams;
};
struct cudaMemFreeNodeParams {
    void *dptr;
};
struct cudaGraphNodeParams {
    enum cudaGraphNodeType type;
    int reserved0[3];
    union {
        long long reserved1[29];
        struct cudaKernelNodeParams kernel;
        struct cudaMemcpyNodeParams memcpy;
        struct cudaMemsetParams memset;
        struct cudaHostNodeParams host;
        struct cudaChildGraphNodeParams graph;
        struct cudaMemAllocNodeParams alloc;
        struct cudaMemFreeNodeParams free;
        struct cudaConditionalNodeParams conditional;
    };
};
/* The child's nodes as they are now. */
cudaError_t cudaGraphAddChildGraphNode(SIMT_NEW_NODE, cudaGraph_t child);
/* The value is default_value again at each launch, by the flag cudaGraphCondAssignDefault. */
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle, cudaGraph_t graph,
                                             unsigned default_value SIMT_OR(0),
                                             unsigned flags SIMT_OR(0));
void simt_graph_set_conditional(cudaGraphConditionalHandle handle, unsigned value);
cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                             const cudaGraphEdgeData *edges, size_t count,
                             struct cudaGraphNodeParams *params);
/* nodes: those that the stream's next one follows; good until the next call. */
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                     unsigned long long *id SIMT_OR(0),
                                     cudaGraph_t *graph SIMT_OR(0),
                                     const cudaGraphNode_t **nodes SIMT_OR(0),
                                     const cudaGraphEdgeData **edges SIMT_OR(0),
                                     size_t *count SIMT_OR(0));
enum { cudaStreamAddCaptureDependencies, cudaStreamSetCaptureDependencies };
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *nodes,
                                                const cudaGraphEdgeData *edges, size_t count,
                                                unsigned flags SIMT_OR(0));
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t *after,
                                          const cudaGraphEdgeData *edges, size_t count,
                                          enum cudaStreamCaptureMode mode);
/* The nodes and what each comes after, as text for Graphviz. */
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path, unsigned flags);

#ifdef __cplusplus
}
#endif
