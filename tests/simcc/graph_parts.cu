// Graphs with memory of their own, a graph in a graph, and nodes that run if a kernel says so; each by the functions of
// its kind, by capture, or by cudaGraphAddNode().
#include <cstdio>

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

int main()
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
