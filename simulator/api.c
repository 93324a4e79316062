/*
 * api.c: errors of the CUDA runtime API, and what it tells of the made-up device. What only
 * passes a call on is in include/cuda_runtime_api.h.
 */
#include "engine.h"
#include <pthread.h>
#include <sched.h>

/* ---- threads of the host ---- */

static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static unsigned waiting; /* for the lock */

void simt_lock(void)
{
    if (pthread_mutex_trylock(&mutex) == 0)
        return;
    __atomic_fetch_add(&waiting, 1, __ATOMIC_SEQ_CST);
    pthread_mutex_lock(&mutex);
    __atomic_fetch_sub(&waiting, 1, __ATOMIC_SEQ_CST);
}

void simt_lock_yield(void)
{
    if (__atomic_load_n(&waiting, __ATOMIC_SEQ_CST) == 0)
        return;
    pthread_mutex_unlock(&mutex);
    while (__atomic_load_n(&waiting, __ATOMIC_SEQ_CST) != 0)
        sched_yield();
    pthread_mutex_lock(&mutex);
}

void simt_wait_for(pthread_cond_t *condition, const struct timespec *until)
{
    if (until)
        pthread_cond_timedwait(condition, &mutex, until);
    else
        pthread_cond_wait(condition, &mutex);
}

void simt_unlock(void)
{
    pthread_mutex_unlock(&mutex);
}

/* ---- errors ---- */

static cudaError_t last_error;

cudaError_t simt_error(cudaError_t error)
{
    if (error != cudaSuccess)
        last_error = error;
    return error;
}

cudaError_t cudaGetLastError(void)
{
    cudaError_t error = last_error;
    last_error = cudaSuccess;
    return error;
}

cudaError_t cudaPeekAtLastError(void)
{
    return last_error;
}

static const struct {
    cudaError_t error;
    const char *name, *text;
} errors[] = {
#define ROW_OF(NAME, NUMBER, TEXT) {NAME, #NAME, TEXT},
    SIMT_ERRORS(ROW_OF)};

const char *cudaGetErrorName(cudaError_t error)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].error == error)
            return errors[i].name;
    return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].error == error)
            return errors[i].text;
    return "unrecognized error code";
}

/* ---- device ---- */

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device)
{
    if (device < 0 || (unsigned)device >= simt_devices)
        return simt_error(cudaErrorInvalidDevice);
    *prop = (struct cudaDeviceProp){.name = "SIMT simulator",
                                    .uuid = {.bytes = {'S', 'I', 'M', 'T', [15] = (char)device}},
                                    .totalGlobalMem = DEVICE_BYTES,
                                    .maxThreadsDim = {1024, 1024, 64},
                                    .maxGridSize = {0x7fffffff, 65535, 65535},
#define MEMBER_OF(NAME, NUMBER, TYPE, MEMBER, VALUE) .MEMBER = (TYPE)(VALUE),
                                    SIMT_ATTRIBUTES(MEMBER_OF)};
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    if (device < 0 || (unsigned)device >= simt_devices)
        return simt_error(cudaErrorInvalidDevice);
    switch (attribute) {
#define VALUE_OF(NAME, NUMBER, TYPE, MEMBER, VALUE)                                                \
    case NAME:                                                                                     \
        return *value = (int)(VALUE), cudaSuccess;
        SIMT_ATTRIBUTES(VALUE_OF)
    }
    return simt_error(cudaErrorInvalidValue);
}
