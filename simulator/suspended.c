/* suspended.c: with one device the host goes on when a launch has ended. But a kernel may wait for
   a word that the host writes later. Such a launch is suspended, and tried again whenever the host
   gives a stream something, asks, waits, or polls memory that kernels may write. What follows in
   its stream waits here. */
#include "suspended.h"
#include "access.h"
#include "allocations.h"
#include "fault.h"
#include "hang_detector.h"
#include "launch.h"
#include "lock.h"
#include <dirent.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

/* The first is the suspended launch, or what is being done after it. */
static struct given {
    struct given *next;
    uint64_t number;
    const void *stream;
    bool apart;
    cudaError_t (*run)(const void *); /* NULL: a place, or the suspended launch */
    _Alignas(16) char data[];
} * first, **last = &first;
static uint64_t numbers, done; /* given out so far; of those, all up to this */

double host_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

unsigned host_threads(void)
{
    unsigned threads = 0;
    DIR *tasks = opendir("/proc/self/task");
    for (struct dirent *e; tasks && (e = readdir(tasks)) != NULL;)
        threads += e->d_name[0] != '.';
    if (tasks)
        closedir(tasks);
    return threads;
}

/* ---- what is there ---- */

static void add(const void *stream, bool apart, cudaError_t (*run)(const void *), const void *data,
                size_t bytes)
{
    struct given *g = simt_zeroed(1, sizeof *g + bytes);
    g->number = ++numbers;
    g->stream = stream;
    g->apart = apart;
    g->run = run;
    if (bytes > 0)
        memcpy(g->data, data, bytes);
    *last = g;
    last = &g->next;
}

static void drop_first(void)
{
    struct given *g = first;
    done = g->number;
    first = g->next;
    last = first ? last : &first;
    free(g);
}

bool suspended_any(void)
{
    return first != NULL;
}

/* A device's own stream waits for all others, and they for it, unless they are apart. */
uint64_t suspended_mark(const void *stream, bool apart)
{
    uint64_t mark = 0;
    simt_lock();
    for (const struct given *g = first; g; g = g->next)
        if (g->stream == stream || (!g->stream && !apart) || (!stream && !g->apart))
            mark = g->number;
    simt_unlock();
    return mark;
}

/* ---- going on ---- */

static bool at_it; /* a thread of the host goes on, and no other may: */
static pthread_t busy;

static void keep_first(cudaError_t *error, cudaError_t own)
{
    *error = *error == cudaSuccess ? own : *error;
}

/* Does what can be done, up to this number. Returns the first error. */
static cudaError_t go_on(uint64_t mark, bool may_suspend)
{
    cudaError_t error = cudaSuccess;
    if (at_it)
        return cudaSuccess;
    at_it = true;
    busy = pthread_self();
    while (first && done < mark && (!launch_suspended || launch_is_ours())) {
        if (launch_suspended)
            keep_first(&error, launch_go_on(may_suspend));
        if (launch_suspended)
            break;
        drop_first();
        if (!first || !first->run)
            continue;
        simt_unlock(); /* a function of the host may wait for its other threads */
        keep_first(&error, first->run(first->data));
        simt_lock();
    }
    at_it = false;
    return error;
}

/* The kernel's wait is in vain: says so, and ends it. */
static cudaError_t give_up(uint64_t mark)
{
    if (launch_suspended && !launch_is_ours())
        simt_fault(
            NULL, place_of_call(),
            "deadlock: a kernel waits for the host, and the thread of the host that launched "
            "it does not wait for it: SIMT_GPUS=2 runs kernels beside all threads");
    return go_on(mark, false);
}

bool suspended_done(uint64_t mark)
{
    enum { LIMIT_MS = 10000 };
    static uint64_t changes;
    static double since;
    simt_lock();
    if (done < mark)
        go_on(SUSPENDED_ALL, true);
    if (changes != hang_changes || since == 0)
        since = host_now();
    changes = hang_changes;
    if (first && host_now() - since > LIMIT_MS) /* the host asks and asks */
        give_up(first->number);
    bool all = done >= mark || !first;
    simt_unlock();
    return all;
}

cudaError_t suspended_wait(uint64_t mark)
{
    enum { PATIENCE_MS = 2000 };
    cudaError_t error = cudaSuccess;
    simt_lock();
    double start = host_now();
    keep_first(&error, go_on(SUSPENDED_ALL, true));
    while (first && done < mark && !(at_it && pthread_equal(busy, pthread_self()))) {
        bool alone = host_threads() == 1 || host_now() - start > PATIENCE_MS;
        if (at_it || !alone) {
            simt_unlock();
            usleep(1000); /* another thread of the host may write what the launch waits for */
            simt_lock();
        }
        keep_first(&error, alone && !at_it ? give_up(mark) : go_on(SUSPENDED_ALL, true));
    }
    simt_unlock();
    return error;
}

cudaError_t suspended_synchronize(uint64_t mark)
{
    cudaError_t error = suspended_wait(mark), fault = fault_of_device();
    access_not_awaited = false;
    return fault == cudaSuccess ? error : fault;
}

/* ---- giving ---- */

static void host_polls(const void *p)
{
    if (!first)
        return;
    simt_lock();
    bool seen = allocation_host_sees((uintptr_t)p);
    simt_unlock();
    if (seen)
        suspended_done(SUSPENDED_ALL);
}

static void finish_at_exit(void)
{
    suspended_wait(SUSPENDED_ALL);
}

/* Only launches are ever suspended. */
cudaError_t suspended_submit(const void *stream, bool apart, cudaError_t (*run)(const void *),
                             const void *data, size_t bytes)
{
    static bool begun;
    cudaError_t error = cudaSuccess;
    if (first)
        suspended_done(SUSPENDED_ALL);
    if (run && run != launch_now && suspended_mark(stream, apart) == 0)
        return run(data);
    simt_lock();
    if (first)
        add(stream, apart, run, data, bytes);
    else if (run)
        error = run(data);
    if (!first && launch_suspended) {
        add(stream, apart, NULL, NULL, 0);
        access_host_polls = host_polls;
        if (!begun)
            atexit(finish_at_exit);
        begun = true;
    }
    simt_unlock();
    return error;
}
