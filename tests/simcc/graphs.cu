// Graphs of launches.
// run: SIMT_SCHEDULE=0..3
// tier: more
#include "check.cuh"
#include <cuda_profiler_api.h>

#if CUDART_VERSION >= 13000
#define NO_EDGES nullptr,
#else
#define NO_EDGES
#endif

// A node that launches a kernel: after another one, or as the first.
static cudaGraphNode_t kernel_node(cudaGraph_t graph, cudaGraphNode_t after, const cudaKernelNodeParams &kernel) {
    cudaGraphNode_t node;
    CHECK(cudaGraphAddKernelNode(&node, graph, after ? &after : nullptr, after != nullptr, &kernel));
    return node;
}
static cudaKernelNodeParams call(void *kernel, int blocks, int threads, void **arguments) { return {kernel, dim3(blocks), dim3(threads), 0, arguments, nullptr}; }

// A graph made node by node: copies, fills, kernels, a host function; launched, changed and launched again; and kernels that are known by their address alone.
__global__ void scale(float *x, int n, float factor) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= factor;
}

template <typename T> __global__ void add_to(const T *x, T *sum, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(sum, x[i]);
}

namespace inner { __global__ void bump(int *p, char step, double) { *p += step; } }

static int calls;
static void count_call(void *data) { calls += *static_cast<int *>(data); }

static void graph_nodes() {
    const int n = 300;
    std::vector<float> host(n);
    float *x, *sum, result = 0;
    for (int i = 0; i < n; i++) host[i] = float(i);
    CHECK(cudaMalloc((void **)&x, n * sizeof(float)), cudaMalloc((void **)&sum, sizeof(float)));

    cudaGraph_t graph;
    cudaGraphNode_t up, clear, scaling, adding, down, tell, end;
    CHECK(cudaGraphCreate(&graph, 0), cudaGraphAddMemcpyNode1D(&up, graph, nullptr, 0, x, host.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    cudaMemsetParams fill = {};
    fill.dst = sum, fill.elementSize = fill.pitch = sizeof(float), fill.width = fill.height = 1;
    CHECK(cudaGraphAddMemsetNode(&clear, graph, nullptr, 0, &fill));
    float factor = 2;
    int count = n, step = 10;
    void *scale_arguments[] = {&x, &count, &factor}, *add_arguments[] = {&x, &sum, &count};
    const cudaKernelNodeParams kernel = call((void *)scale, 3, 128, scale_arguments), second = call((void *)add_to<float>, 3, 128, add_arguments);
    scaling = kernel_node(graph, up, kernel);
    cudaGraphNode_t both[] = {scaling, clear};
    CHECK(cudaGraphAddKernelNode(&adding, graph, both, 2, &second));
    CHECK(cudaGraphAddMemcpyNode1D(&down, graph, nullptr, 0, &result, sum, sizeof(float), cudaMemcpyDeviceToHost));
    cudaHostNodeParams by_host = {count_call, &step};
    CHECK(cudaGraphAddHostNode(&tell, graph, &down, 1, &by_host), cudaGraphAddEmptyNode(&end, graph, &tell, 1));
    CHECK(cudaGraphAddDependencies(graph, &adding, &down, NO_EDGES 1));
    size_t nodes = 0, roots = 0;
    cudaGraphNodeType type;
    CHECK(cudaGraphGetNodes(graph, nullptr, &nodes), cudaGraphGetRootNodes(graph, nullptr, &roots), cudaGraphNodeGetType(adding, &type));
    EXPECT(nodes == 7 && roots == 2 && type == cudaGraphNodeTypeKernel);

    cudaGraphExec_t exec;
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream), cudaGraphInstantiate(&exec, graph, 0));
    auto gives = [&](float times) {
        CHECK(cudaGraphLaunch(exec, stream), cudaStreamSynchronize(stream));
        return result == times * (n * (n - 1) / 2);
    };
    for (int round = 0; round < 3; round++) EXPECT(gives(2));
    EXPECT(calls == 30);
    factor = 3; // the instance alone, then all of the graph
    CHECK(cudaGraphExecKernelNodeSetParams(exec, scaling, &kernel));
    EXPECT(gives(3));
    factor = 5;
    CHECK(cudaGraphKernelNodeSetParams(scaling, &kernel));
    cudaGraphExecUpdateResultInfo info;
    CHECK(cudaGraphExecUpdate(exec, graph, &info));
    EXPECT(gives(5) && info.result == cudaGraphExecUpdateSuccess);

    // By address.
    int *p = managed<int>(1);
    char by = 7;
    double unused = 0;
    void *arguments[] = {&p, &by, &unused};
    for (const void *f : {(const void *)inner::bump, reinterpret_cast<const void *>(&inner::bump)})
        CHECK(cudaLaunchKernel(f, dim3(1), dim3(1), arguments, 0, stream));
    LEFT(*p == 14);
    EXPECT(cudaLaunchKernel((const void *)nullptr, dim3(1), dim3(1), arguments, 0, stream) == cudaErrorInvalidDeviceFunction);
    (void)cudaGetLastError();

    // Round in a circle: no node can be first.
    cudaGraph_t circle;
    cudaGraphNode_t one, two;
    cudaGraphExec_t none;
    CHECK(cudaGraphCreate(&circle, 0), cudaGraphAddEmptyNode(&one, circle, nullptr, 0), cudaGraphAddEmptyNode(&two, circle, &one, 1));
    EXPECT(cudaGraphAddDependencies(circle, &two, &one, NO_EDGES 1) != cudaSuccess || cudaGraphInstantiate(&none, circle, 0) != cudaSuccess);
    (void)cudaGetLastError();
    CHECK(cudaGraphDestroy(circle), cudaGraphExecDestroy(exec), cudaGraphDestroy(graph), cudaStreamDestroy(stream));
}

// Graphs with memory of their own, a graph in a graph, and nodes that run if a kernel says so; each by the functions of
// its kind, by capture, or by cudaGraphAddNode().
__global__ void fill(float *x, float value) { x[threadIdx.x] = value + threadIdx.x; }
__global__ void twice_and(int *p, int add) { *p = 2 * *p + add; }
__global__ void count_down(int *left, cudaGraphConditionalHandle again) {
    --*left;
    cudaGraphSetConditional(again, *left > 0);
}

static void launch(cudaGraph_t graph, int times) {
    cudaGraphExec_t exec;
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < times; i++) CHECK(cudaGraphLaunch(exec, 0));
    CHECK(cudaDeviceSynchronize(), cudaGraphExecDestroy(exec), cudaGraphDestroy(graph));
}

static void memory() {
    cudaGraph_t graph;
    cudaGraphNode_t made, filled, copied, gone;
    float h[32] = {0}, value = 3;
    CHECK(cudaGraphCreate(&graph, 0));
    cudaMemAllocNodeParams p = {};
    p.poolProps.allocType = cudaMemAllocationTypePinned;
    p.poolProps.location.type = cudaMemLocationTypeDevice;
    p.bytesize = sizeof h;
    CHECK(cudaGraphAddMemAllocNode(&made, graph, nullptr, 0, &p));
    void *arguments[] = {&p.dptr, &value};
    filled = kernel_node(graph, made, call((void *)fill, 1, 32, arguments));
    CHECK(cudaGraphAddMemcpyNode1D(&copied, graph, &filled, 1, h, p.dptr, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(cudaGraphAddMemFreeNode(&gone, graph, &copied, 1, p.dptr));
    launch(graph, 3);
    EXPECT(h[0] == 3 && h[31] == 34);

    cudaStream_t stream;
    float *captured;
    CHECK(cudaStreamCreate(&stream), cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaMallocAsync(&captured, sizeof h, stream));
    fill<<<1, 32, 0, stream>>>(captured, 7);
    CHECK(cudaMemcpyAsync(h, captured, sizeof h, cudaMemcpyDeviceToHost, stream), cudaFreeAsync(captured, stream), cudaStreamEndCapture(stream, &graph));
    launch(graph, 2);
    EXPECT(h[1] == 8);
    CHECK(cudaStreamDestroy(stream));
}

static void children(int *p) {
    cudaGraph_t graph, child;
    cudaGraphNode_t within;
    int one = 1, two = 2, three = 3;
    void *with_one[] = {&p, &one}, *with_two[] = {&p, &two}, *with_three[] = {&p, &three};
    CHECK(cudaGraphCreate(&graph, 0), cudaGraphCreate(&child, 0));
    kernel_node(child, nullptr, call((void *)twice_and, 1, 1, with_two));
    const cudaGraphNode_t first = kernel_node(graph, nullptr, call((void *)twice_and, 1, 1, with_one));
    CHECK(cudaGraphAddChildGraphNode(&within, graph, &first, 1, child));
    kernel_node(graph, within, call((void *)twice_and, 1, 1, with_three));
    size_t count = 0;
    EXPECT(cudaGraphGetNodes(graph, nullptr, &count) == cudaSuccess && count == 3);
    CHECK(cudaGraphDestroy(child));
    launch(graph, 1);
    EXPECT(*p == 11);
}

static void loop(int *p, int *left) {
    cudaGraph_t graph;
    cudaGraphConditionalHandle again;
    cudaGraphNode_t node, body, end;
    int one = 1;
    *p = 0, *left = 5;
    CHECK(cudaGraphCreate(&graph, 0), cudaGraphConditionalHandleCreate(&again, graph, 1, cudaGraphCondAssignDefault));
    cudaGraphNodeParams loop = {}, k = {};
    loop.type = cudaGraphNodeTypeConditional;
    loop.conditional.handle = again;
    loop.conditional.type = cudaGraphCondTypeWhile;
    loop.conditional.size = 1;
    CHECK(cudaGraphAddNode(&node, graph, nullptr, NO_EDGES 0, &loop));
    void *of_body[] = {&p, &one}, *of_end[] = {&left, &again};
    k.type = cudaGraphNodeTypeKernel;
    k.kernel.func = (void *)twice_and;
    k.kernel.gridDim = k.kernel.blockDim = dim3(1);
    k.kernel.kernelParams = of_body;
    CHECK(cudaGraphAddNode(&body, loop.conditional.phGraph_out[0], nullptr, NO_EDGES 0, &k));
    k.kernel.func = (void *)count_down;
    k.kernel.kernelParams = of_end;
    CHECK(cudaGraphAddNode(&end, loop.conditional.phGraph_out[0], &body, NO_EDGES 1, &k));
    launch(graph, 1);
    EXPECT(*p == 31 && *left == 0);
}

// The runtime beyond malloc and launch: a graph captured from two streams, priorities, callbacks,
// registered memory of the host, memory pools, attributes of pointers, peers, the profiler.
__global__ void add(float *a, const float *b, int n, float factor) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) a[i] += factor * b[i];
}

static void CUDART_CB note(cudaStream_t, cudaError_t status, void *data) { *(int *)data += status == cudaSuccess; }
static void CUDART_CB count(void *data) { ++*(int *)data; }

static void graphs_pools() {
    const int n = 1000;
    const size_t bytes = n * sizeof(float);
    int least = 9, greatest = 9, priority = 9, calls = 0;
    unsigned flags = 9;
    cudaStream_t first, second;
    CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest), cudaStreamCreateWithPriority(&first, cudaStreamNonBlocking, greatest));
    CHECK(cudaStreamCreate(&second), cudaStreamGetPriority(first, &priority), cudaStreamGetFlags(first, &flags));
    EXPECT(least == 0 && greatest <= 0 && priority == greatest && flags == cudaStreamNonBlocking);

    std::vector<float> ones(n, 1.0f), result(n);
    float *a, *b, *c;
    CHECK(cudaMallocAsync(&a, bytes, first), cudaMallocAsync((void **)&b, bytes, first), cudaMallocAsync(&c, bytes, first));
    CHECK(cudaMemcpyAsync(b, ones.data(), bytes, cudaMemcpyHostToDevice, first), cudaStreamSynchronize(first));

    // a <- 0; fork: c <- b * 3 in the second stream, a += 2 b in the first; join: a += c; host
    cudaEvent_t fork, join;
    cudaGraph_t graph, under_way, same;
    cudaGraphExec_t runnable;
    cudaStreamCaptureStatus status;
    CHECK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming), cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
    CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal), cudaStreamIsCapturing(first, &status));
    EXPECT(status == cudaStreamCaptureStatusActive);
    const cudaGraphNode_t *last;
    cudaGraphNode_t empty;
    size_t before, after;
    CHECK(cudaStreamGetCaptureInfo(first, &status, nullptr, &under_way, &last, nullptr, &before));
    CHECK(cudaGraphAddEmptyNode(&empty, under_way, last, before)); // by hand, and the next one follows it
    CHECK(cudaStreamUpdateCaptureDependencies(first, &empty, nullptr, 1, cudaStreamSetCaptureDependencies));
    CHECK(cudaStreamGetCaptureInfo(first, &status, nullptr, &same, &last, nullptr, &after));
    EXPECT(under_way == same && before == 0 && after == 1 && last[0] == empty);
    CHECK(cudaMemsetAsync(a, 0, bytes, first), cudaEventRecord(fork, first), cudaStreamWaitEvent(second, fork, 0), cudaMemsetAsync(c, 0, bytes, second));
    add<<<4, 128, 0, second>>>(c, b, n, 3.0f);
    CHECK(cudaEventRecord(join, second));
    add<<<4, 128, 0, first>>>(a, b, n, 2.0f);
    CHECK(cudaStreamWaitEvent(first, join, 0));
    add<<<2, 64, 0, first>>>(a, c, n, 1.0f);
    CHECK(cudaLaunchHostFunc(first, count, &calls), cudaStreamEndCapture(first, &graph));
    CHECK(cudaStreamIsCapturing(second, &status)); // the other stream is free again, and nothing was done while it was captured
    EXPECT(calls == 0 && status == cudaStreamCaptureStatusNone);
    CHECK(cudaMemsetAsync(a, 0, bytes, second), cudaGraphInstantiate(&runnable, graph, 0), cudaGraphDestroy(graph));
    cudaProfilerStart();
    for (int i = 0; i < 3; i++) CHECK(cudaGraphLaunch(runnable, first));
    CHECK(cudaStreamSynchronize(first));
    cudaProfilerStop();
    CHECK(cudaMemcpy(result.data(), a, bytes, cudaMemcpyDeviceToHost));
    EXPECT(result[0] == 5 && result[n - 1] == 5 && calls == 3);
    CHECK(cudaGraphExecDestroy(runnable), cudaStreamAddCallback(first, note, &calls, 0), cudaStreamSynchronize(first));
    EXPECT(calls == 4);

    // Memory of the host that a kernel uses; what pointers lead to.
    float *plain = (float *)malloc(bytes), *mapped, *both = managed<float>(16);
    for (int i = 0; i < n; i++) plain[i] = (float)i;
    CHECK(cudaHostRegister(plain, bytes, cudaHostRegisterMapped), cudaHostGetDevicePointer(&mapped, plain, 0));
    add<<<4, 128>>>(mapped, b, n, 10.0f);
    LEFT(plain[7] == 17);
    cudaPointerAttributes attributes;
    CHECK(cudaPointerGetAttributes(&attributes, b));
    EXPECT(attributes.type == cudaMemoryTypeDevice);
    CHECK(cudaPointerGetAttributes(&attributes, both + 1));
    EXPECT(attributes.type == cudaMemoryTypeManaged && attributes.hostPointer == both + 1);
    CHECK(cudaPointerGetAttributes(&attributes, plain));
    EXPECT(attributes.type == cudaMemoryTypeHost && attributes.hostPointer == plain);
    CHECK(cudaHostUnregister(plain));
    EXPECT(cudaHostUnregister(plain) == cudaErrorHostMemoryNotRegistered);
    free(plain);

    int pools = 0, device = -1;
    cudaMemPool_t pool;
    unsigned long long threshold = 1 << 20;
    cudaDeviceProp properties;
    CHECK(cudaDeviceGetAttribute(&pools, cudaDevAttrMemoryPoolsSupported, 0), cudaDeviceGetDefaultMemPool(&pool, 0));
    CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold), cudaFreeAsync(c, second), cudaFreeAsync(a, first));
    CHECK(cudaFreeAsync(b, first), cudaGetDeviceProperties(&properties, 0));
    EXPECT(properties.canMapHostMemory && properties.unifiedAddressing && properties.memPitch > 0);
    CHECK(cudaGetDevice(&device));
    (void)cudaGetLastError();
    for (cudaStream_t stream : {first, second}) CHECK(cudaStreamDestroy(stream));
    for (cudaEvent_t event : {fork, join}) CHECK(cudaEventDestroy(event));
}

int main() {
    int *p = managed<int>(2);
    graph_nodes(), memory(), children(p), loop(p, p + 1), graphs_pools();
    return verdict();
}
