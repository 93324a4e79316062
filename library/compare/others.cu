/* others.cu: Thrust, which returns its sum to the host, and cuBLAS. */
#include "rivals.h"
#include <cublas_v2.h>
#include <stdio.h>
#include <stdlib.h>
#include <thrust/device_ptr.h>
#include <thrust/reduce.h>
#include <thrust/system/cuda/execution_policy.h>

static void sum_by_thrust(const float *in, size_t n, float *out, cudaStream_t stream)
{
    thrust::device_ptr<const float> first(in);
    float sum = thrust::reduce(thrust::cuda::par.on(stream), first, first + n, 0.0f);
    CUDA_CHECK(cudaMemcpyAsync(out, &sum, sizeof sum, cudaMemcpyHostToDevice, stream));
}

extern "C" struct rival thrust_rival(void)
{
    static char text[32];
    snprintf(text, sizeof text, "CCCL %d.%d.%d", CCCL_MAJOR_VERSION, CCCL_MINOR_VERSION,
             CCCL_PATCH_VERSION);
    return (struct rival){"thrust", text, sum_by_thrust, false};
}

static void check(cublasStatus_t status)
{
    if (status == CUBLAS_STATUS_SUCCESS)
        return;
    fprintf(stderr, "compare: cuBLAS: %s\n", cublasGetStatusString(status));
    exit(1);
}

static void sum_by_cublas(const float *in, size_t n, float *out, cudaStream_t stream)
{
    static cublasHandle_t handle;
    if (handle == NULL) {
        check(cublasCreate(&handle));
        check(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
        check(cublasSetStream(handle, stream));
    }
    check(cublasSasum_64(handle, (int64_t)n, in, 1, out));
}

extern "C" struct rival cublas_rival(void)
{
    static char text[32];
    snprintf(text, sizeof text, "cuBLAS %d.%d.%d", CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR,
             CUBLAS_VER_PATCH);
    return (struct rival){"cublas_asum", text, sum_by_cublas, true};
}
