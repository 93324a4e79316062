/* queue.c: with several devices, what streams were given waits here until the host waits. Then a
   thread of its own does it (a launch's thread_local variables stay with it): each device has one
   launch at a time, and they alternate, block by block. */
#include "queue.h"
#include "devices.h"
#include "fault.h"
#include "grid.h"
#include "hang_detector.h"
#include "happens_before.h"
#include "launch.h"
#include "lock.h"
#include "scheduler.h"
#include "suspended.h"
#include <time.h>

struct work {
    struct work *next; /* in the queue of its device, in the order of the calls */
    unsigned users, device;
    bool apart;     /* it does not wait for the device's own stream, nor that for it */
    uint64_t order; /* of all works */
    work_function run;
    enum { IN_QUEUE, BEGUN, ENDED } state;
    double ended;
    struct work **after;
    size_t after_count;
    uint32_t known[MOST_DEVICES]; /* what each device did until then comes before it, or before its
                                     end */
    char why[160];                /* it cannot begin, or "" */
    _Alignas(16) char data[];
};

static struct device {
    struct work *queue, **end; /* not done yet */
    struct work *running;      /* its launch */
    struct work *last;         /* in its own stream */
    unsigned held_back;        /* for so many slices of the others */
    cudaError_t error;         /* the first since the host has waited */
    uint32_t done[MOST_DEVICES],
        done_together[MOST_DEVICES]; /* known by all that is, and not apart */
} devices[MOST_DEVICES];

static uint32_t host_knows[MOST_DEVICES];
static uint64_t added;

/* A thread of the host that waits. */
struct wish {
    struct wish *next;
    struct work *work;
    bool patient; /* it waits for as long as it takes; else until nothing can go on */
    bool in_vain;
};
static struct wish *wishes;
static pthread_cond_t asked = PTHREAD_COND_INITIALIZER, answered = PTHREAD_COND_INITIALIZER;
static pthread_t server;
static bool serving;

/* ---- works ---- */

static void learn(uint32_t known[MOST_DEVICES], const uint32_t more[MOST_DEVICES])
{
    for (unsigned d = 0; d < MOST_DEVICES; d++)
        known[d] = more[d] > known[d] ? more[d] : known[d];
}

void work_drop(struct work *w)
{
    if (!w)
        return;
    simt_lock();
    if (--w->users == 0) {
        for (size_t i = 0; i < w->after_count; i++)
            work_drop(w->after[i]);
        free(w->after);
        free(w);
    }
    simt_unlock();
}

bool work_done(const struct work *w)
{
    return w->state == ENDED;
}

double work_ended(const struct work *w)
{
    return w->ended;
}

void queue_after(struct work *w, struct work *before)
{
    if (!before)
        return;
    simt_lock();
    before->users++;
    w->after = simt_grow(w->after, w->after_count, sizeof *w->after);
    w->after[w->after_count++] = before;
    simt_unlock();
}

/* For the queue, and for the caller. */
static struct work *make(unsigned device, bool apart, work_function run, const void *data,
                         size_t bytes)
{
    struct device *d = &devices[device];
    struct work *w = calloc(1, sizeof *w + bytes);
    if (!w)
        simt_fault(NULL, NULL, "no memory left for what a stream is given");
    w->users = 2;
    w->device = device;
    w->apart = apart;
    w->order = ++added;
    w->run = run;
    if (bytes > 0)
        memcpy(w->data, data, bytes);
    memcpy(w->known, host_knows, sizeof w->known);
    if (!d->end)
        d->end = &d->queue;
    *d->end = w;
    d->end = &w->next;
    return w;
}

static void follow(struct work **last, struct work *w)
{
    queue_after(w, *last);
    work_drop(*last);
    *last = w;
    w->users++;
}

struct work *queue_add(unsigned device, struct stream_state *stream, work_function run,
                       const void *data, size_t bytes, struct work *after)
{
    struct device *d = &devices[device];
    bool apart = stream && stream->apart;
    simt_lock();
    struct work *w = make(device, apart, run, data, bytes);
    if (!stream) { /* the device's own stream comes after all others */
        bool pending = d->last && d->last->state != ENDED; /* which came after all before it */
        for (struct work *other = pending ? d->last->next : d->queue; other != w;
             other = other->next)
            if (!other->apart)
                queue_after(w, other);
        learn(w->known, d->done_together);
        follow(&d->last, w);
    } else {
        if (!apart)
            queue_after(w, d->last);
        follow(&stream->last, w);
    }
    queue_after(w, after);
    pthread_cond_signal(&asked); /* a thread of the host may wait for more work */
    simt_unlock();
    return w;
}

struct work *queue_add_node(unsigned device, bool apart, work_function run, const void *data,
                            size_t bytes)
{
    simt_lock();
    struct work *w = make(device, apart, run, data, bytes);
    simt_unlock();
    return w;
}

struct work *queue_mark(unsigned device)
{
    simt_lock();
    struct work *w = make(device, true, NULL, NULL, 0);
    for (struct work *other = devices[device].queue; other != w; other = other->next)
        queue_after(w, other);
    learn(w->known, devices[device].done);
    simt_unlock();
    return w;
}

static bool may_begin(const struct work *w)
{
    if (w->state != IN_QUEUE || (w->run == launch_now && devices[w->device].running))
        return false;
    for (size_t i = 0; i < w->after_count; i++)
        if (w->after[i]->state != ENDED)
            return false;
    return true;
}

static void finish(struct work *w, cudaError_t error)
{
    struct device *d = &devices[w->device];
    struct work **at = &d->queue;
    w->state = ENDED;
    if (error != cudaSuccess && d->error == cudaSuccess)
        d->error = error;
    w->ended = host_now();
    w->known[w->device] = hb_now();
    learn(d->done, w->known);
    if (!w->apart)
        learn(d->done_together, w->known);
    while (*at != w)
        at = &(*at)->next;
    *at = w->next;
    if (!*at)
        d->end = at;
    for (size_t i = 0; i < w->after_count; i++)
        work_drop(w->after[i]);
    w->after_count = 0;
    if (d->running == w)
        d->running = NULL;
    work_drop(w);
}

static struct work *current; /* that is being done */

cudaError_t queue_again(const char *why)
{
    snprintf(current->why, sizeof current->why, "%s", why);
    return QUEUE_AGAIN;
}

uint32_t *queue_known(void)
{
    return current ? current->known : NULL;
}

/* Under a shuffled schedule one device may be far later than the others, mostly by nothing. */
static unsigned draw_delay(void)
{
    enum { MOST = 1024 };
    return simt_seed == 0 ? 0 : MOST / (unsigned)(1 + simt_random() % MOST) - 1;
}

/* Does all that was done come before whatever is in a queue? */
static bool after_everything(void)
{
    for (unsigned d = 0; d < MOST_DEVICES; d++)
        for (const struct work *w = devices[d].queue; w; w = w->next)
            for (unsigned e = 0; e < MOST_DEVICES; e++)
                if (w->state == BEGUN || (e != d && w->known[e] < devices[e].done[e]))
                    return false;
    return true;
}

/* Returns whether it has begun, or is done. */
static bool begin(struct work *w)
{
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i < w->after_count; i++)
        learn(w->known, w->after[i]->known);
    grid_enter(w->device);
    if (w->run == launch_now) {
        launch_begin((const struct kernel_launch *)w->data, after_everything() ? NULL : w->known);
        w->state = BEGUN;
        devices[w->device].running = w;
        devices[w->device].held_back = draw_delay();
        return true;
    }
    current = w;
    if (w->run)
        error = w->run(w->data);
    if (error == QUEUE_AGAIN)
        return false;
    finish(w, error);
    return true;
}

/* ---- one step: all that can begin, and a time slice for each launch ---- */

static bool begin_one(void)
{
    for (unsigned d = 0; d < MOST_DEVICES; d++)
        for (struct work *w = devices[d].queue; w; w = w->next)
            if (may_begin(w) && begin(w))
                return true;
    return false;
}

/* Returns whether it went on. */
static bool run_slice(unsigned device)
{
    struct work *w = devices[device].running;
    grid_enter(device);
    enum launch_state state = launch_step(w->order);
    if (state == LAUNCH_ENDED || state == LAUNCH_FAILED)
        finish(w, state == LAUNCH_ENDED ? cudaSuccess
                  : fault_asserted      ? cudaErrorAssert
                                        : cudaErrorLaunchFailure);
    return state != LAUNCH_WAITS;
}

static bool step(void)
{
    bool moved = false, held_back = false;
    unsigned first = simt_seed == 0 ? 0 : (unsigned)(simt_random() % MOST_DEVICES);
    while (begin_one())
        moved = true;
    for (unsigned i = 0; i < MOST_DEVICES; i++) {
        unsigned d = (first + i) % MOST_DEVICES;
        if (devices[d].running && devices[d].held_back > 0) {
            devices[d].held_back--;
            held_back = true;
        } else if (devices[d].running) {
            moved |= run_slice(d);
        }
    }
    for (unsigned d = 0; held_back && !moved && d < MOST_DEVICES; d++)
        devices[d].held_back = 0;
    return moved || held_back;
}

/* ---- when nothing can go on ---- */

static void on_each_device(void (*act)(void))
{
    for (unsigned d = 0; d < MOST_DEVICES; d++)
        if (devices[d].running) {
            grid_enter(d);
            act();
        }
}

static bool look_again(void)
{
    deadlock_begin();
    on_each_device(deadlock_add);
    if (!deadlock_worth_retry())
        return false;
    on_each_device(deadlock_wake);
    return true;
}

/* Threads of this process, but the one below. */
unsigned queue_threads(void)
{
    return host_threads() - serving;
}

/* Another thread of the host may have more: waits a while for it, once. */
static bool more_came(void)
{
    static uint64_t waited_at;
    uint64_t before = added;
    if (waited_at == added || queue_threads() < 2)
        return false;
    double patience_ms = device_users() > 1 ? 2000 : 300;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    uint64_t ns = (uint64_t)until.tv_nsec + (uint64_t)(patience_ms * 1e6);
    until.tv_sec += (time_t)(ns / 1000000000);
    until.tv_nsec = (long)(ns % 1000000000);
    for (double start = host_now(); added == before && host_now() - start < patience_ms;)
        simt_wait_for(&asked, &until);
    if (added == before)
        waited_at = added; /* in vain */
    return added != before;
}

/* What a device waits for; the line begins with another. */
static void describe(unsigned device, char *text, size_t room)
{
    const struct work *w = devices[device].queue;
    const struct thread *t = devices[device].running ? grid_waiting(device) : NULL;
    while (w && !w->why[0])
        w = w->next;
    if (t)
        snprintf(text, room, "; device %u: %s %s at %s", device,
                 kernel_name(launch_of(device)->entered), grid_state(t), place_name(t->site));
    else if (w)
        snprintf(text, room, "; device %u %s", device, w->why);
    else
        *text = '\0'; /* it has nothing to do */
}

static void report_deadlock(void)
{
    char others[MOST_DEVICES * 512] = "", *end = others;
    unsigned first = 0;
    while (first < simt_devices && !devices[first].running)
        first++;
    for (unsigned d = 0; d < simt_devices; d++)
        if (d != first) {
            describe(d, end, 512);
            end += strlen(end);
        }
    if (first == simt_devices)
        simt_fault(NULL, NULL, "deadlock%s; no thread is left to end it", others);
    grid_enter(first);
    const struct thread *t = grid_waiting(first);
    simt_fault(t, t->site, "deadlock: this thread %s%s; %s", grid_state(t), others,
               *others ? "no thread is left to end it" : "no other device has anything to do");
}

/* The host asks and asks, but gives no device anything to do. */
static bool asked_for_long(void)
{
    enum { LIMIT_MS = 10000 };
    static uint64_t before;
    static double since;
    if (before != added || since == 0)
        since = host_now();
    before = added;
    return host_now() - since > LIMIT_MS;
}

/* With SIMT_GO_ON=1 a deadlock ends the launch that was reported. */
static void give_up(void)
{
    unsigned first = 0;
    bool patient = false;
    for (struct wish *w = wishes; w; w = w->next) {
        patient |= w->patient && w->work->state != ENDED;
        w->in_vain = true;
    }
    pthread_cond_broadcast(&answered);
    if (!patient && !asked_for_long())
        return;
    if (patient && (more_came() || deadlock_advance_time()))
        return;
    while (first < simt_devices && !devices[first].running)
        first++;
    if (launch_guarded(report_deadlock))
        finish(devices[first].running, cudaErrorLaunchFailure);
}

/* ---- the thread that does it ---- */

static bool wanted(void)
{
    for (const struct wish *w = wishes; w; w = w->next)
        if (w->work->state != ENDED && (w->patient || !w->in_vain))
            return true;
    return false;
}

static void *serve(void *unused)
{
    simt_lock();
    for (;;) {
        while (!wanted()) {
            pthread_cond_broadcast(&answered);
            simt_wait_for(&asked, NULL);
        }
        launch_thread();
        if (!step() && !look_again())
            give_up();
        for (const struct wish *w = wishes; w; w = w->next)
            if (w->work->state == ENDED)
                pthread_cond_broadcast(&answered);
        simt_lock_yield();
    }
    return NULL;
}

static void finish_at_exit(void)
{
    if (simt_devices > 1 && !pthread_equal(server, pthread_self()))
        queue_finish();
}

static void start_serving(void)
{
    if (serving)
        return;
    serving = true;
    if (pthread_create(&server, NULL, serve, NULL) != 0)
        simt_fault(NULL, NULL, "no thread can be started to do the work of several devices");
    atexit(finish_at_exit);
}

static bool serve_wish(struct work *work, bool patient)
{
    struct wish wish = {.work = work, .patient = patient}, **at = &wishes;
    simt_lock();
    if (serving && pthread_equal(server, pthread_self()))
        simt_fault(NULL, NULL, "a function of the host in a stream may not wait for a device");
    start_serving();
    wish.next = wishes;
    wishes = &wish;
    simt_writes++; /* the host may have written what a thread polls */
    pthread_cond_signal(&asked);
    while (work->state != ENDED && (patient || !wish.in_vain))
        simt_wait_for(&answered, NULL);
    while (*at != &wish)
        at = &(*at)->next;
    *at = wish.next;
    bool done = work->state == ENDED;
    if (done)
        learn(host_knows, work->known);
    simt_unlock();
    return done;
}

cudaError_t queue_wait(struct work *work)
{
    struct device *d = &devices[work->device];
    serve_wish(work, true);
    cudaError_t error = d->error;
    d->error = cudaSuccess;
    return simt_error(error);
}

cudaError_t queue_wait_for(struct work *work)
{
    cudaError_t error = queue_wait(work);
    work_drop(work);
    return error;
}

bool queue_try(struct work *work)
{
    return serve_wish(work, false);
}

cudaError_t queue_finish(void)
{
    cudaError_t error = suspended_wait(SUSPENDED_ALL);
    for (unsigned d = 0; d < MOST_DEVICES; d++) {
        if (!devices[d].queue)
            continue;
        struct work *all = queue_mark(d);
        cudaError_t of_this = queue_wait(all);
        error = error == cudaSuccess ? of_this : error;
        work_drop(all);
    }
    return error;
}
