// Graphs of launches.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

// A graph made node by node: copies, fills, kernels, a host function; launched, changed and launched again; and kernels
// that are known by their address alone.
namespace graph_nodes {

#define CHECK(call)                                                                              \
    do {                                                                                         \
        cudaError_t status_ = (call);                                                            \
        if (status_ != cudaSuccess) {                                                            \
            std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(status_));                \
            std::exit(1);                                                                        \
        }                                                                                        \
    } while (0)

__global__ void scale(float *x, int n, float factor)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= factor;
}

template <typename T> __global__ void add_to(const T *x, T *sum, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(sum, x[i]);
}

namespace inner { __global__ void bump(int *p, char step, double) { *p += step; } }

static int calls;
static void count_call(void *data)
{
    calls += *static_cast<int *>(data);
}

static int test()
{
    const int n = 300;
    std::vector<float> host(n);
    float *x, *sum, result = 0;
    for (int i = 0; i < n; i++)
        host[i] = float(i);
    CHECK(cudaMalloc((void **)&x, n * sizeof(float)));
    CHECK(cudaMalloc((void **)&sum, sizeof(float)));

    cudaGraph_t graph;
    cudaGraphNode_t up, clear, scaling, adding, down, tell, end;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddMemcpyNode1D(&up, graph, nullptr, 0, x, host.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    cudaMemsetParams fill = {};
    fill.dst = sum;
    fill.elementSize = sizeof(float);
    fill.width = 1;
    fill.height = 1;
    fill.pitch = sizeof(float);
    CHECK(cudaGraphAddMemsetNode(&clear, graph, nullptr, 0, &fill));

    float factor = 2;
    int count = n;
    void *scale_arguments[] = {&x, &count, &factor};
    cudaKernelNodeParams kernel = {};
    kernel.func = (void *)scale;
    kernel.gridDim = dim3(3);
    kernel.blockDim = dim3(128);
    kernel.kernelParams = scale_arguments;
    CHECK(cudaGraphAddKernelNode(&scaling, graph, &up, 1, &kernel));
    void *add_arguments[] = {&x, &sum, &count};
    cudaKernelNodeParams second = {(void *)add_to<float>, dim3(3), dim3(128), 0, add_arguments, nullptr};
    cudaGraphNode_t both[] = {scaling, clear};
    CHECK(cudaGraphAddKernelNode(&adding, graph, both, 2, &second));
    CHECK(cudaGraphAddMemcpyNode1D(&down, graph, nullptr, 0, &result, sum, sizeof(float), cudaMemcpyDeviceToHost));
    int step = 10;
    cudaHostNodeParams call = {count_call, &step};
    CHECK(cudaGraphAddHostNode(&tell, graph, &down, 1, &call));
    CHECK(cudaGraphAddEmptyNode(&end, graph, &tell, 1));
#if CUDART_VERSION >= 13000
    CHECK(cudaGraphAddDependencies(graph, &adding, &down, nullptr, 1));
#else
    CHECK(cudaGraphAddDependencies(graph, &adding, &down, 1));
#endif
    size_t nodes = 0, roots = 0;
    CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
    CHECK(cudaGraphGetRootNodes(graph, nullptr, &roots));
    cudaGraphNodeType type;
    CHECK(cudaGraphNodeGetType(adding, &type));
    int wrong = nodes != 7 || roots != 2 || type != cudaGraphNodeTypeKernel;

    cudaGraphExec_t exec;
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    const float total = n * (n - 1) / 2;
    for (int round = 0; round < 3; round++) {
        CHECK(cudaGraphLaunch(exec, stream));
        CHECK(cudaStreamSynchronize(stream));
        wrong += result != 2 * total;
    }
    wrong += calls != 30;

    // The instance alone, then all of the graph.
    factor = 3;
    CHECK(cudaGraphExecKernelNodeSetParams(exec, scaling, &kernel));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    wrong += result != 3 * total;
    factor = 5;
    CHECK(cudaGraphKernelNodeSetParams(scaling, &kernel));
    cudaGraphExecUpdateResultInfo info;
    CHECK(cudaGraphExecUpdate(exec, graph, &info));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    wrong += result != 5 * total || info.result != cudaGraphExecUpdateSuccess;
    std::printf("graphs: %d wrong\n", wrong);

    // By address.
    int *p, got = 0;
    char by = 7;
    double unused = 0;
    CHECK(cudaMalloc((void **)&p, sizeof(int)));
    CHECK(cudaMemset(p, 0, sizeof(int)));
    void *arguments[] = {&p, &by, &unused};
    const void *table[] = {(const void *)inner::bump, reinterpret_cast<const void *>(&inner::bump)};
    for (const void *f : table)
        CHECK(cudaLaunchKernel(f, dim3(1), dim3(1), arguments, 0, stream));
    CHECK(cudaMemcpy(&got, p, sizeof got, cudaMemcpyDeviceToHost));
    wrong += got != 14;
    wrong += cudaLaunchKernel((const void *)nullptr, dim3(1), dim3(1), arguments, 0, stream) != cudaErrorInvalidDeviceFunction;
    (void)cudaGetLastError();

    // Round in a circle: no node can be first.
    cudaGraph_t circle;
    cudaGraphNode_t one, two;
    CHECK(cudaGraphCreate(&circle, 0));
    CHECK(cudaGraphAddEmptyNode(&one, circle, nullptr, 0));
    CHECK(cudaGraphAddEmptyNode(&two, circle, &one, 1));
#if CUDART_VERSION >= 13000
    cudaError_t error = cudaGraphAddDependencies(circle, &two, &one, nullptr, 1);
#else
    cudaError_t error = cudaGraphAddDependencies(circle, &two, &one, 1);
#endif
    cudaGraphExec_t none;
    wrong += error == cudaSuccess && cudaGraphInstantiate(&none, circle, 0) == cudaSuccess;
    (void)cudaGetLastError();
    CHECK(cudaGraphDestroy(circle));
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaStreamDestroy(stream));
    return wrong != 0;
}

#undef CHECK

} // namespace graph_nodes

// Graphs with memory of their own, a graph in a graph, and nodes that run if a kernel says so; each by the functions of
// its kind, by capture, or by cudaGraphAddNode().
namespace graph_parts {

static int wrong;
#define EXPECT(x) (void)((x) || (std::printf("line %d: %s\n", __LINE__, #x), ++wrong))

__global__ void fill(float *x, float value) { x[threadIdx.x] = value + threadIdx.x; }
__global__ void twice_and(int *p, int add) { *p = 2 * *p + add; }
__global__ void count_down(int *left, cudaGraphConditionalHandle again)
{
    --*left;
    cudaGraphSetConditional(again, *left > 0);
}

static cudaKernelNodeParams call(void *kernel, int threads, void **arguments)
{
    cudaKernelNodeParams p = {};
    p.func = kernel;
    p.gridDim = dim3(1);
    p.blockDim = dim3(threads);
    p.kernelParams = arguments;
    return p;
}

static void launch(cudaGraph_t graph, int times)
{
    cudaGraphExec_t exec;
    EXPECT(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
    for (int i = 0; i < times; i++)
        EXPECT(cudaGraphLaunch(exec, 0) == cudaSuccess);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
}

static void memory()
{
    cudaGraph_t graph;
    cudaGraphNode_t made, filled, copied, gone;
    float h[32] = {0}, value = 3;
    cudaGraphCreate(&graph, 0);
    cudaMemAllocNodeParams p = {};
    p.poolProps.allocType = cudaMemAllocationTypePinned;
    p.poolProps.location.type = cudaMemLocationTypeDevice;
    p.bytesize = sizeof h;
    EXPECT(cudaGraphAddMemAllocNode(&made, graph, nullptr, 0, &p) == cudaSuccess);
    void *arguments[] = {&p.dptr, &value};
    const cudaKernelNodeParams k = call((void *)fill, 32, arguments);
    EXPECT(cudaGraphAddKernelNode(&filled, graph, &made, 1, &k) == cudaSuccess);
    EXPECT(cudaGraphAddMemcpyNode1D(&copied, graph, &filled, 1, h, p.dptr, sizeof h, cudaMemcpyDeviceToHost) == cudaSuccess);
    EXPECT(cudaGraphAddMemFreeNode(&gone, graph, &copied, 1, p.dptr) == cudaSuccess);
    launch(graph, 3);
    EXPECT(h[0] == 3 && h[31] == 34);

    cudaStream_t stream;
    float *captured;
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    EXPECT(cudaMallocAsync(&captured, sizeof h, stream) == cudaSuccess);
    fill<<<1, 32, 0, stream>>>(captured, 7);
    cudaMemcpyAsync(h, captured, sizeof h, cudaMemcpyDeviceToHost, stream);
    EXPECT(cudaFreeAsync(captured, stream) == cudaSuccess);
    EXPECT(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
    launch(graph, 2);
    EXPECT(h[1] == 8);
    cudaStreamDestroy(stream);
}

static void children(int *p)
{
    cudaGraph_t graph, child;
    cudaGraphNode_t a, b, c, x;
    int one = 1, two = 2, three = 3, h = 0;
    void *with_one[] = {&p, &one}, *with_two[] = {&p, &two}, *with_three[] = {&p, &three};
    const cudaKernelNodeParams first = call((void *)twice_and, 1, with_one), within = call((void *)twice_and, 1, with_two),
                               last = call((void *)twice_and, 1, with_three);
    cudaMemset(p, 0, sizeof *p);
    cudaGraphCreate(&graph, 0);
    cudaGraphCreate(&child, 0);
    EXPECT(cudaGraphAddKernelNode(&x, child, nullptr, 0, &within) == cudaSuccess);
    EXPECT(cudaGraphAddKernelNode(&a, graph, nullptr, 0, &first) == cudaSuccess);
    EXPECT(cudaGraphAddChildGraphNode(&b, graph, &a, 1, child) == cudaSuccess);
    EXPECT(cudaGraphAddKernelNode(&c, graph, &b, 1, &last) == cudaSuccess);
    size_t count = 0;
    EXPECT(cudaGraphGetNodes(graph, nullptr, &count) == cudaSuccess && count == 3);
    cudaGraphDestroy(child);
    launch(graph, 1);
    cudaMemcpy(&h, p, sizeof h, cudaMemcpyDeviceToHost);
    EXPECT(h == 11);
}

static void loop(int *p, int *left)
{
    cudaGraph_t graph;
    cudaGraphConditionalHandle again;
    cudaGraphNode_t node, body, end;
    int one = 1, h[2] = {0, 5};
    cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToDevice);
    cudaGraphCreate(&graph, 0);
    EXPECT(cudaGraphConditionalHandleCreate(&again, graph, 1, cudaGraphCondAssignDefault) == cudaSuccess);
    cudaGraphNodeParams loop = {};
    loop.type = cudaGraphNodeTypeConditional;
    loop.conditional.handle = again;
    loop.conditional.type = cudaGraphCondTypeWhile;
    loop.conditional.size = 1;
#if CUDART_VERSION >= 13000
#define ADD(node, graph, after, count, params) cudaGraphAddNode(node, graph, after, nullptr, count, params)
#else
#define ADD(node, graph, after, count, params) cudaGraphAddNode(node, graph, after, count, params)
#endif
    EXPECT(ADD(&node, graph, nullptr, 0, &loop) == cudaSuccess);
    void *of_body[] = {&p, &one}, *of_end[] = {&left, &again};
    cudaGraphNodeParams k = {};
    k.type = cudaGraphNodeTypeKernel;
    k.kernel.func = (void *)twice_and;
    k.kernel.gridDim = k.kernel.blockDim = dim3(1);
    k.kernel.kernelParams = of_body;
    EXPECT(ADD(&body, loop.conditional.phGraph_out[0], nullptr, 0, &k) == cudaSuccess);
    k.kernel.func = (void *)count_down;
    k.kernel.kernelParams = of_end;
    EXPECT(ADD(&end, loop.conditional.phGraph_out[0], &body, 1, &k) == cudaSuccess);
    launch(graph, 1);
    cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);
    EXPECT(h[0] == 31 && h[1] == 0);
}

static int test()
{
    int *p;
    cudaMalloc(&p, 2 * sizeof *p);
    memory();
    children(p);
    loop(p, p + 1);
    cudaFree(p);
    std::printf("%d wrong\n", wrong);
    return wrong != 0;
}

#undef EXPECT
#undef ADD

} // namespace graph_parts

// The runtime beyond malloc and launch: a graph captured from two streams, priorities, callbacks,
// registered memory of the host, memory pools, attributes of pointers, peers, the profiler.
namespace graphs_pools {

#define MUST(call)                                                                                \
    do {                                                                                          \
        cudaError_t e = (call);                                                                   \
        if (e != cudaSuccess) {                                                                   \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorName(e));   \
            exit(1);                                                                              \
        }                                                                                         \
    } while (0)

static int wrong;
static void expect(bool right, const char *what)
{
    if (!right) printf("not so: %s\n", what);
    wrong += !right;
}

__global__ void add(float *a, const float *b, int n, float factor)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) a[i] += factor * b[i];
}

static void CUDART_CB note(cudaStream_t, cudaError_t status, void *data) { *(int *)data += status == cudaSuccess; }
static void CUDART_CB count(void *data) { ++*(int *)data; }

static int test()
{
    const int n = 1000;
    int least = 9, greatest = 9, priority = 9, calls = 0;
    unsigned flags = 9;
    cudaStream_t first, second;
    MUST(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    expect(least == 0 && greatest <= 0, "a range of priorities");
    MUST(cudaStreamCreateWithPriority(&first, cudaStreamNonBlocking, greatest));
    MUST(cudaStreamCreate(&second));
    MUST(cudaStreamGetPriority(first, &priority));
    MUST(cudaStreamGetFlags(first, &flags));
    expect(priority == greatest && flags == cudaStreamNonBlocking, "a stream knows how it was made");

    std::vector<float> ones(n, 1.0f), result(n);
    float *a, *b, *c;
    MUST(cudaMallocAsync(&a, n * sizeof(float), first));
    MUST(cudaMallocAsync((void **)&b, n * sizeof(float), first));
    MUST(cudaMallocAsync(&c, n * sizeof(float), first));
    MUST(cudaMemcpyAsync(b, ones.data(), n * sizeof(float), cudaMemcpyHostToDevice, first));
    MUST(cudaStreamSynchronize(first));

    // a <- 0; fork: c <- b * 3 in the second stream, a += 2 b in the first; join: a += c; host
    cudaEvent_t fork, join;
    cudaGraph_t graph;
    cudaGraphExec_t runnable;
    cudaStreamCaptureStatus status;
    MUST(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    MUST(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
    MUST(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
    MUST(cudaStreamIsCapturing(first, &status));
    expect(status == cudaStreamCaptureStatusActive, "the stream is capturing");
    cudaGraph_t under_way, same;
    const cudaGraphNode_t *last;
    cudaGraphNode_t empty;
    size_t before, after;
    MUST(cudaStreamGetCaptureInfo(first, &status, nullptr, &under_way, &last, nullptr, &before));
    MUST(cudaGraphAddEmptyNode(&empty, under_way, last, before)); // by hand, and the next one follows it
    MUST(cudaStreamUpdateCaptureDependencies(first, &empty, nullptr, 1, cudaStreamSetCaptureDependencies));
    MUST(cudaStreamGetCaptureInfo(first, &status, nullptr, &same, &last, nullptr, &after));
    expect(under_way == same && before == 0 && after == 1 && last[0] == empty, "what the stream's next node follows");
    MUST(cudaMemsetAsync(a, 0, n * sizeof(float), first));
    MUST(cudaEventRecord(fork, first));
    MUST(cudaStreamWaitEvent(second, fork, 0));
    MUST(cudaMemsetAsync(c, 0, n * sizeof(float), second));
    add<<<4, 128, 0, second>>>(c, b, n, 3.0f);
    MUST(cudaEventRecord(join, second));
    add<<<4, 128, 0, first>>>(a, b, n, 2.0f);
    MUST(cudaStreamWaitEvent(first, join, 0));
    add<<<2, 64, 0, first>>>(a, c, n, 1.0f);
    MUST(cudaLaunchHostFunc(first, count, &calls));
    MUST(cudaStreamEndCapture(first, &graph));
    expect(calls == 0, "nothing is done while it is captured");
    MUST(cudaStreamIsCapturing(second, &status));
    expect(status == cudaStreamCaptureStatusNone, "the other stream is free again");
    MUST(cudaMemsetAsync(a, 0, n * sizeof(float), second));
    MUST(cudaGraphInstantiate(&runnable, graph, 0));
    MUST(cudaGraphDestroy(graph));
    cudaProfilerStart();
    for (int i = 0; i < 3; i++) MUST(cudaGraphLaunch(runnable, first));
    MUST(cudaStreamSynchronize(first));
    cudaProfilerStop();
    MUST(cudaMemcpy(result.data(), a, n * sizeof(float), cudaMemcpyDeviceToHost));
    expect(result[0] == 5 && result[n - 1] == 5, "the graph's sum");
    expect(calls == 3, "each launch of the graph calls the host");
    MUST(cudaGraphExecDestroy(runnable));

    MUST(cudaStreamAddCallback(first, note, &calls, 0));
    MUST(cudaStreamSynchronize(first));
    expect(calls == 4, "a callback");

    // memory of the host that a kernel uses
    float *plain = (float *)malloc(n * sizeof(float)), *mapped;
    for (int i = 0; i < n; i++) plain[i] = (float)i;
    MUST(cudaHostRegister(plain, n * sizeof(float), cudaHostRegisterMapped));
    MUST(cudaHostGetDevicePointer(&mapped, plain, 0));
    add<<<4, 128>>>(mapped, b, n, 10.0f);
    MUST(cudaDeviceSynchronize());
    expect(plain[7] == 17, "registered memory");
    cudaPointerAttributes attributes;
    MUST(cudaPointerGetAttributes(&attributes, b));
    expect(attributes.type == cudaMemoryTypeDevice, "a pointer to the device");
    float *managed;
    MUST(cudaMallocManaged(&managed, 64));
    MUST(cudaPointerGetAttributes(&attributes, managed + 1));
    expect(attributes.type == cudaMemoryTypeManaged && attributes.hostPointer == managed + 1, "a pointer to managed memory");
    MUST(cudaFree(managed));
    MUST(cudaPointerGetAttributes(&attributes, plain));
    expect(attributes.type == cudaMemoryTypeHost && attributes.hostPointer == plain, "a pointer to the host");
    MUST(cudaHostUnregister(plain));
    expect(cudaHostUnregister(plain) == cudaErrorHostMemoryNotRegistered, "it is registered no more");
    free(plain);

    int pools = 0, device = -1;
    MUST(cudaDeviceGetAttribute(&pools, cudaDevAttrMemoryPoolsSupported, 0));
    cudaMemPool_t pool;
    MUST(cudaDeviceGetDefaultMemPool(&pool, 0));
    unsigned long long threshold = 1 << 20;
    MUST(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    MUST(cudaFreeAsync(c, second));
    MUST(cudaFreeAsync(a, first));
    MUST(cudaFreeAsync(b, first));
    cudaDeviceProp properties;
    MUST(cudaGetDeviceProperties(&properties, 0));
    expect(properties.canMapHostMemory && properties.unifiedAddressing && properties.memPitch > 0, "properties");
    MUST(cudaGetDevice(&device));
    (void)cudaGetLastError();
    MUST(cudaStreamDestroy(first));
    MUST(cudaStreamDestroy(second));
    MUST(cudaEventDestroy(fork));
    MUST(cudaEventDestroy(join));
    printf("%d wrong\n", wrong);
    return wrong != 0;
}

#undef MUST

} // namespace graphs_pools

int main()
{
    return graph_nodes::test() | graph_parts::test() | graphs_pools::test();
}
