/* cublas.cu: cuBLAS has no sum, but one of magnitudes. */
#include "rivals.h"
#include <cublas_v2.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cublasStatus_t status)
{
    if (status == CUBLAS_STATUS_SUCCESS)
        return;
    fprintf(stderr, "compare: cuBLAS: %s\n", cublasGetStatusString(status));
    exit(1);
}

static void sum(struct sum *s)
{
    static cublasHandle_t handle;
    if (handle == NULL) {
        check(cublasCreate(&handle));
        check(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
        check(cublasSetStream(handle, s->stream));
    }
    check(cublasSasum_64(handle, (int64_t)s->n, s->in, 1, s->out));
}

#define TEXT_(number) #number
#define TEXT(number)  TEXT_(number)

extern const struct variant cublas_asum = {
    .name = "cublas_asum",
    .what = "cuBLAS " TEXT(CUBLAS_VER_MAJOR) "." TEXT(CUBLAS_VER_MINOR) "." TEXT(CUBLAS_VER_PATCH),
    .launch = sum};
