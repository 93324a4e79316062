// A graph made node by node: copies, fills, kernels, a host function; launched, changed and launched again; and kernels
// that are known by their address alone.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

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

int main()
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
