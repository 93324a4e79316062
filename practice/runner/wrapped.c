/* wrapped.c: functions in place of CUDA's and the simulator's (ld --wrap): what is allocated, and
 * where CUDA refuses a call. */
#include "runner.h"

#ifdef SIMT_SIMULATOR
#include "simt.h"

#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static long allocations;

long live_allocations(void)
{
    return allocations;
}

cudaError_t __real_simt_error_because(cudaError_t error, const char *why);

/* Of simulator/allocations.h. Calls in tail position leave no frame: the simulator says where
 * memory was made. */
cudaError_t __real_allocation_make(void **p, size_t bytes, int owner, unsigned device);
cudaError_t __real_allocation_free(const void *p, uintptr_t *start, uintptr_t *end);

cudaError_t __wrap_allocation_make(void **p, size_t bytes, int owner, unsigned device)
{
    allocations++;
    return __real_allocation_make(p, bytes, owner, device);
}

cudaError_t __wrap_allocation_free(const void *p, uintptr_t *start, uintptr_t *end)
{
    allocations--;
    return __real_allocation_free(p, start, end);
}

static void *frames[24];
static int depth;

cudaError_t __wrap_simt_error_because(cudaError_t error, const char *why)
{
    if (error != cudaSuccess && depth == 0)
        depth = backtrace(frames, sizeof frames / sizeof *frames);
    return __real_simt_error_because(error, why);
}

cudaError_t __wrap_simt_error(cudaError_t error)
{
    return __wrap_simt_error_because(error, NULL);
}

void forget_refused(void)
{
    depth = 0;
}

/* The first frame that is neither ours nor the simulator's. */
const char *refused_at(void)
{
    for (int i = 0; i < depth; i++) {
        const char *name = simt_place(frames[i]);
        if (strstr(name, ".cu:") || strstr(name, ".cuh:"))
            return name;
    }
    return "";
}

/* A kernel or the host is within a loop that does not end: where it is now. */
static _Noreturn void too_long(int signal_number)
{
    (void)signal_number;
    depth = backtrace(frames, sizeof frames / sizeof *frames);
    const char *place = refused_at();
    dprintf(STDERR_FILENO,
            "simulator: %s%sstopped: it does not end: an endless loop, or far too much work\n",
            place, *place ? ": " : "");
    _exit(1);
}

void limit_call(void)
{
    const char *seconds = getenv("PRACTICE_SECONDS");
    if (!seconds)
        return;
    signal(SIGPROF, too_long);
    setitimer(ITIMER_PROF, &(struct itimerval){.it_value.tv_sec = atoi(seconds)}, NULL);
}

#endif
