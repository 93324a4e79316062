/*
 * hang_detector.c: makes threads that wait for memory give way to others, and finds loops that
 * never end. A thread polls if it reads one place again and again; it rests if it has looked very
 * often and changed nothing. When only such threads are left, deadlock.c says whether any of them
 * will ever go on. Other endless loops are found by their work and their time: a clock ticks, and
 * asks whether anything has changed since.
 */
#include "engine.h"
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>

enum {
    POLLS = 16,        /* reads of one place in a row, and the thread gives way */
    LOOKS = 4096,      /* reads, barriers and the like since it changed something: it rests */
    LOOKS_AGAIN = 512, /* the same, while nothing changes at all */
    SLICE = 1024,      /* volatile accesses and atomics: it gives way whatever it does */
    ASKS = 256,        /* questions since it changed something: the clock stands still */
};
/* Ticks of a clock without a change, after which a loop is given up: with so much work, and with
   any. */
enum { TICK_US = 500000, TICKS = 6, MOST_TICKS = 16 };
#define MUCH_WORK (1ull << 30) /* basic blocks */

volatile int hang_stuck;
uint64_t hang_work, hang_slices;
static pthread_t watched; /* the thread of the host whose launch began last */
static int idle;          /* ticks */
/* Writes, threads that began or ended. And what changes nothing, but is not waiting either: reads
   further out than before, barriers when nobody has read anything. */
static volatile uint64_t changes, news;
static bool looked; /* somebody has read something since the last change */

void hang_give_up(void *pc)
{
    simt_fault(simt_self, pc, "never ends: for %.3g s no thread wrote, read anything new, or ended",
               idle * (TICK_US * 1e-6));
}

/* The next basic block sees hang_stuck and gives up (access.c); only a loop so small
   that it calls nothing is still here a tick later. */
static void on_tick(int number, siginfo_t *info, void *context)
{
    static uint64_t before, work_before;
    uint64_t now = changes + news;
    bool was_stuck = hang_stuck;
    (void)number, (void)info;
    if (now != before || simt_now.finished == simt_now.blocks) {
        idle = 0;
        work_before = hang_work;
    } else if (simt_self || hang_retries > 0) { /* else it is the simulator that takes so long */
        idle++;
    }
    before = now;
    hang_stuck = idle >= MOST_TICKS || (idle >= TICKS && hang_work - work_before >= MUCH_WORK);
    if (!was_stuck || !hang_stuck || !simt_self)
        return;
    if (pthread_equal(watched, pthread_self()))
        hang_give_up(signal_pc(context));
    pthread_kill(watched, SIGVTALRM); /* the tick came to another thread */
}

/* Time that this process computes, not the clock on the wall: a debugger may stop it. */
void hang_begin(void)
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

uint64_t hang_changes(void)
{
    return changes;
}

void hang_begin_thread(struct thread *t)
{
    t->turn = 0;
    t->own_time = 0;
    hang_write(t);
}

void hang_write(struct thread *t)
{
    t->polled = 0;
    t->looks = t->asked = 0;
    t->lowest = UINTPTR_MAX;
    t->highest = 0;
    looked = false;
    changes++;
    if (hang_retries > 0)
        deadlock_clear();
}

static void spin(struct thread *t, void *pc)
{
    t->polls = t->looks = 0;
    t->writes_seen = simt_writes;
    simt_wait(SPINNING, pc);
}

/* One more look: has it looked often enough? */
static bool looked_enough(struct thread *t)
{
    return ++t->looks >= (hang_retries > 0 ? LOOKS_AGAIN : LOOKS);
}

void hang_step(struct thread *t, void *pc)
{
    news += !looked;
    if (looked_enough(t) || hang_at_anchor(t, 0, pc))
        spin(t, pc);
}

static void reach(struct thread *t, uintptr_t address)
{
    if (address >= t->lowest && address <= t->highest)
        return;
    t->lowest = address < t->lowest ? address : t->lowest;
    t->highest = address > t->highest ? address : t->highest;
    news++;
}

void hang_store(struct thread *t, uintptr_t address)
{
    t->polled = 0;
    reach(t, address);
}

void hang_read(struct thread *t, uintptr_t address, void *pc)
{
    looked = true;
    reach(t, address);
    if (t->polled != address || t->polled_from != pc)
        t->polls = 0;
    t->polled = address;
    t->polled_from = pc;
    bool enough = looked_enough(t), polls = ++t->polls > POLLS;
    hang_polls += polls;
    if (polls || enough || hang_at_anchor(t, address, pc))
        spin(t, pc);
}

void hang_slice(struct thread *t, void *pc)
{
    hang_slices++;
    if (++t->turn < SLICE)
        return;
    t->turn = 0;
    simt_wait(READY, pc);
}

/* No time, a number that only moves forward. It stands still for a thread that asks and asks and
   writes nothing, as long as anybody can go on, and its first questions move it for others but
   little: so a wait with a limit ends in time only if what it waits for never comes. Then time
   passes (deadlock.c). */
long long hang_clock(struct thread *t, void *pc)
{
    static long long asked;
    if (!t)
        return hang_time + ++asked;
    hang_slice(t, pc);
    bool enough = ++t->asked % POLLS == 0 && !hang_comparing;
    if (looked_enough(t) || enough || hang_at_anchor(t, 0, pc))
        spin(t, pc);
    if (t->asked <= POLLS)
        asked++;
    else if (t->asked <= ASKS)
        t->own_time++;
    return hang_time + asked + t->own_time;
}
