// Copy, compute and copy back in several streams, with events and a host function.
// run: SIMT_SCHEDULE=0..3
// expect streams_events: note: the times between events are those of the simulation
#include <cuda_runtime_api.h>
#include <cuda_runtime.h>
#include "device_launch_parameters.h"
#include <stdio.h>
#include <stdlib.h>

#define gpuErrchk(ans) { gpuAssert((ans), __FILE__, __LINE__); }
inline void gpuAssert(cudaError_t code, const char *file, int line, bool abort=true)
{
   if (code != cudaSuccess)
   {
      fprintf(stderr,"GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
      if (abort) exit(code);
   }
}

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
    gpuErrchk( cudaMallocHost((void**)&a, n * sizeof(int)) );   // host pinned
    cudaStream_t stream[nStreams];
    cudaEvent_t startEvent, stopEvent, done;
    gpuErrchk( cudaEventCreate(&startEvent) );
    gpuErrchk( cudaEventCreate(&stopEvent) );
    gpuErrchk( cudaEventCreateWithFlags(&done, cudaEventDisableTiming) );
    for (int i = 0; i < nStreams; ++i)
        gpuErrchk( i % 2 ? cudaStreamCreate(&stream[i]) : cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking) );
    gpuErrchk( cudaMallocAsync(&d_a, n * sizeof(int), stream[0]) );
    gpuErrchk( cudaStreamSynchronize(stream[0]) );
    for (int i = 0; i < n; ++i) a[i] = i;

    gpuErrchk( cudaEventRecord(startEvent, 0) );
    for (int i = 0; i < nStreams; ++i)
    {
        int offset = i * streamSize;
        gpuErrchk( cudaMemcpyAsync(&d_a[offset], &a[offset], streamBytes, cudaMemcpyHostToDevice, stream[i]) );
        increment_kernel<<<streamSize/blockSize, blockSize, 0, stream[i]>>>(d_a + offset, 26);
        gpuErrchk( cudaMemcpyAsync(&a[offset], &d_a[offset], streamBytes, cudaMemcpyDeviceToHost, stream[i]) );
        gpuErrchk( cudaLaunchHostFunc(stream[i], count_up, &finished) );
        gpuErrchk( cudaEventRecord(done, stream[i]) );
        gpuErrchk( cudaStreamWaitEvent(stream[(i + 1) % nStreams], done, 0) );
    }
    gpuErrchk( cudaEventRecord(stopEvent) );
    gpuErrchk( cudaEventSynchronize(stopEvent) );
    unsigned long counter = 0;
    for (int i = 0; i < nStreams; ++i)
        while (cudaStreamQuery(stream[i]) == cudaErrorNotReady)
            counter++;
    gpuErrchk( cudaDeviceSynchronize() );
    float ms;
    gpuErrchk( cudaEventElapsedTime(&ms, startEvent, stopEvent) );

    int errors = finished != nStreams;
    for (int i = 0; i < n; ++i)
        errors += a[i] != i + 26;
    printf("%d errors\n", errors);

    for (int i = 0; i < nStreams; ++i) gpuErrchk( cudaStreamDestroy(stream[i]) );
    gpuErrchk( cudaFreeAsync(d_a, 0) );
    gpuErrchk( cudaFreeHost(a) );
    gpuErrchk( cudaEventDestroy(startEvent) );
    gpuErrchk( cudaEventDestroy(stopEvent) );
    gpuErrchk( cudaEventDestroy(done) );
    return errors ? 1 : 0;
}
