// Copy, compute and copy back in several streams, with events and a host function.
// run: SIMT_SCHEDULE=0..3
// expect streams_events: note: the times between events are those of the simulation
#include <cuda_runtime_api.h>
#include "check.cuh"
#include "device_launch_parameters.h"

__global__ void increment_kernel(int *g_data, int inc_value)
{
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    g_data[idx] = g_data[idx] + inc_value;
}

static void CUDART_CB count_up(void *data) { ++*(int *)data; }

int main()
{
    const int nStreams = 4, n = nStreams * 1024, streamSize = n / nStreams, streamBytes = streamSize * sizeof(int);
    const int blockSize = 256;
    int *a, *d_a, finished = 0;
    CHECK( cudaMallocHost((void**)&a, n * sizeof(int)) );   // host pinned
    cudaStream_t stream[nStreams];
    cudaEvent_t startEvent, stopEvent, done;
    CHECK( cudaEventCreate(&startEvent), cudaEventCreate(&stopEvent), cudaEventCreateWithFlags(&done, cudaEventDisableTiming) );
    for (int i = 0; i < nStreams; ++i)
        CHECK( i % 2 ? cudaStreamCreate(&stream[i]) : cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking) );
    CHECK( cudaMallocAsync(&d_a, n * sizeof(int), stream[0]), cudaStreamSynchronize(stream[0]) );
    for (int i = 0; i < n; ++i) a[i] = i;

    CHECK( cudaEventRecord(startEvent, 0) );
    for (int i = 0; i < nStreams; ++i)
    {
        int offset = i * streamSize;
        CHECK( cudaMemcpyAsync(&d_a[offset], &a[offset], streamBytes, cudaMemcpyHostToDevice, stream[i]) );
        increment_kernel<<<streamSize/blockSize, blockSize, 0, stream[i]>>>(d_a + offset, 26);
        CHECK( cudaMemcpyAsync(&a[offset], &d_a[offset], streamBytes, cudaMemcpyDeviceToHost, stream[i]) );
        CHECK( cudaLaunchHostFunc(stream[i], count_up, &finished), cudaEventRecord(done, stream[i]) );
        CHECK( cudaStreamWaitEvent(stream[(i + 1) % nStreams], done, 0) );
    }
    CHECK( cudaEventRecord(stopEvent), cudaEventSynchronize(stopEvent) );
    unsigned long counter = 0;
    for (int i = 0; i < nStreams; ++i)
        while (cudaStreamQuery(stream[i]) == cudaErrorNotReady)
            counter++;
    float ms;
    CHECK( cudaDeviceSynchronize(), cudaEventElapsedTime(&ms, startEvent, stopEvent) );

    EXPECT(finished == nStreams);
    EACH(i, n, a[i] == i + 26);

    for (int i = 0; i < nStreams; ++i) CHECK( cudaStreamDestroy(stream[i]) );
    CHECK( cudaFreeAsync(d_a, 0), cudaFreeHost(a), cudaEventDestroy(startEvent), cudaEventDestroy(stopEvent), cudaEventDestroy(done) );
    return verdict();
}
