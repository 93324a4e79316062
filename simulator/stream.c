/*
 * stream.c: events. All work is done when a call returns, so an event has nothing to wait
 * for, and its time is that of the machine that simulates.
 */
#include "engine.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct CUevent_st {
    double recorded; /* milliseconds of a clock that only goes forward; 0: not yet */
    bool timed;
};

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    *event = calloc(1, sizeof **event);
    if (!*event)
        return simt_error(cudaErrorMemoryAllocation);
    (*event)->timed = !(flags & cudaEventDisableTiming);
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    (void)stream;
    if (!event)
        return simt_error(cudaErrorInvalidResourceHandle);
    event->recorded = now_ms();
    return cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t stop)
{
    static bool said;
    if (!start || !stop || !start->timed || !stop->timed || start->recorded == 0 ||
        stop->recorded == 0)
        return simt_error(cudaErrorInvalidResourceHandle);
    if (!said)
        fprintf(stderr, "simulator: note: the times between events are those of the simulation, "
                        "not of a GPU\n");
    said = true;
    *ms = (float)(stop->recorded - start->recorded);
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    if (!event)
        return simt_error(cudaErrorInvalidResourceHandle);
    free(event);
    return cudaSuccess;
}
