/*
 * watch.c: finds deadlocks and endless loops. A thread that reads one place again and again
 * polls, one that has read very much without writing rests: both give way to others. When
 * nobody is left but threads that poll, and looking again is in vain, that is a deadlock.
 * Other loops that never end are found by their time: a clock ticks, and asks whether
 * anything moved since.
 */
#include "engine.h"
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>

enum { POLLS = 16, READS = 4096, RETRIES = 1000, TICKS = 6, TICK_US = 500000 };

volatile int watch_stuck;
static pthread_t watched;          /* the thread of the host whose launch began last */
static volatile uint64_t progress; /* writes, first reads of an address, steps, threads ended */

void watch_give_up(void *pc)
{
    simt_fault(simt_self, pc,
               "runs on and on: for %d s no thread wrote, read anything new, or ended",
               TICKS * TICK_US / 1000000);
}

/* The next basic block sees watch_stuck and gives up (access.c); only a loop so small
   that it calls nothing is still here a tick later. */
static void on_tick(int number, siginfo_t *info, void *context)
{
    static uint64_t before;
    static int idle;
    (void)number, (void)info;
    if (progress != before || simt_now.finished == simt_now.blocks)
        idle = 0;
    else if (simt_self) /* else it is the simulator that takes so long */
        idle++;
    before = progress;
    watch_stuck = idle >= TICKS;
    if (idle <= TICKS || !simt_self)
        return;
    if (pthread_equal(watched, pthread_self()))
        watch_give_up(signal_pc(context));
    pthread_kill(watched, SIGVTALRM); /* the tick came to another thread */
}

/* Time that this process computes, not the clock on the wall: a debugger may stop it. */
void watch_begin(void)
{
    static bool begun;
    watched = pthread_self();
    if (begun)
        return;
    begun = true;
    struct sigaction action = {.sa_sigaction = on_tick,
                               .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
    struct itimerval tick = {{0, TICK_US}, {0, TICK_US}};
    sigaction(SIGVTALRM, &action, NULL);
    setitimer(ITIMER_VIRTUAL, &tick, NULL);
}

void watch_start(struct thread *t)
{
    t->step_reads = 0;
    watch_write(t);
}

void watch_write(struct thread *t)
{
    t->polled = 0;
    t->reads = t->asked = 0;
    t->lowest = UINTPTR_MAX;
    t->highest = 0;
    progress++;
}

void watch_step(struct thread *t)
{
    if (t->reads == t->step_reads)
        progress++; /* it read nothing since the last, so it does not poll */
    t->step_reads = t->reads;
}

void watch_read(struct thread *t, uintptr_t address, void *pc)
{
    if (address < t->lowest || address > t->highest) {
        t->lowest = address < t->lowest ? address : t->lowest;
        t->highest = address > t->highest ? address : t->highest;
        progress++;
    }
    if (t->polled != address || t->polled_from != pc)
        t->polls = 0;
    t->polled = address;
    t->polled_from = pc;
    t->rests = ++t->reads >= READS;
    if (++t->polls <= POLLS && !t->rests)
        return;
    t->polls = t->reads = 0;
    t->writes_seen = simt_writes;
    simt_wait(SPINNING, pc);
}

static unsigned retries;

bool watch_worth(unsigned limit)
{
    static uint64_t before;
    retries = progress == before ? retries + 1 : 0;
    before = progress;
    return retries < limit;
}

void watch_wake(unsigned *found)
{
    for (unsigned s = 0; s < simt_now.open; s++)
        for (unsigned i = 0; simt_slots[s].active && i < simt_now.threads; i++) {
            struct thread *t = &simt_slots[s].threads[i];
            if (t->state != SPINNING)
                continue;
            t->state = READY;
            *found |=
                FOUND_POLLING | (t->rests ? FOUND_RESTING : 0) | (t->asked > 1 ? FOUND_TIMED : 0);
        }
    if (*found & FOUND_RESTING)
        retries = 0;
}

bool watch_retry(void)
{
    unsigned found = 0;
    if (watch_worth(RETRIES))
        watch_wake(&found);
    return found != 0;
}

/* ---- clocks: no time, a number that only moves forward. With several devices it stands still for
   a thread that asks and asks and writes nothing, as long as anybody can go on: so a wait with a
   limit ends in time only if what it waits for never comes. Then time passes, more each time. ----
 */

enum { FIRST_LEAP = 10, LAST_LEAP = 50 }; /* powers of 2 */
static long long ticks;

long long watch_clock(struct thread *t, void *pc)
{
    if (!t || simt_devices == 1) {
        if (t)
            watch_write(t);
        return ++ticks;
    }
    if (++t->asked <= POLLS)
        return ++ticks;
    if (t->asked % POLLS == 1) {
        t->writes_seen = simt_writes;
        simt_wait(SPINNING, pc);
    }
    return ticks;
}

bool watch_leap(void)
{
    static uint64_t before;
    static int power;
    power = progress == before ? power + 1 : FIRST_LEAP;
    before = progress;
    if (power > LAST_LEAP)
        return false;
    ticks += 1ll << power;
    retries = 0;
    return true;
}
