/* failures.c: CUDA functions that fail when the environment says so; linked by --wrap. */
#include <cuda_runtime_api.h>
#include <stdlib.h>
#include <string.h>
/* The environment's FAIL names a function, FAIL_AT which of its calls fails, from 0 on. */
static int fails(const char *name) {
    static int calls;
    const char *which = getenv("FAIL");
    return which && strcmp(which, name) == 0 && calls++ == atoi(getenv("FAIL_AT"));
}
cudaError_t __real_cudaSetDevice(int device);
cudaError_t __wrap_cudaSetDevice(int device);
cudaError_t __wrap_cudaSetDevice(int device) {
    return fails("cudaSetDevice") ? cudaErrorInvalidDevice : __real_cudaSetDevice(device);
}
cudaError_t __real_cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream);
cudaError_t __wrap_cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream);
cudaError_t __wrap_cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream) {
    return fails("cudaGraphLaunch") ? cudaErrorLaunchFailure : __real_cudaGraphLaunch(graph, stream);
}
