// The runtime beyond malloc and launch: a graph captured from two streams, priorities, callbacks,
// registered memory of the host, memory pools, attributes of pointers, peers, the profiler.
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

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

int main()
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
