/* hang_detector.c: makes threads that poll memory yield, and finds loops that never end: of polls
   by deadlock.c, of others by their work and time, as at each tick something must change. */
#include "hang_detector.h"
#include "allocations.h"
#include "fault.h"
#include "scheduler.h"
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>

enum {
    LOOKS_AGAIN = 512, /* for HANG_LOOKS, while nothing changes at all */
    SLICE = 1024,      /* volatile accesses and atomics: it yields whatever it does */
    ASKS = 256,        /* questions since it changed something: the clock stands still */
};
/* Ticks of a clock without a change, until states are compared; without an end, until a line says
   so; so many times as many, until a loop is given up. A long loop that ends makes all of them
   longer. */
enum { TICK_US = 500000, COMPARE_TICKS = 2, SAY_TICKS = 12, PATIENCE = 20 };

volatile int hang_stuck;
uint64_t hang_work, hang_slices, hang_polls, hang_host_reads;
unsigned hang_retries;
long long hang_time;
bool hang_comparing, hang_reads_host;
static unsigned comparison; /* the number of times that states were compared, or were not */
static pthread_t watched;   /* the thread of the host whose launch began last */
static int idle, quiet,
    patience = 1; /* ticks without a change, without an end; their limits grow */
volatile uint64_t hang_changes, hang_news, hang_ends;
bool hang_looked, hang_running;

void hang_give_up(void *pc, const char *why)
{
    simt_fault(simt_self, pc,
               "never ends: for %.3g s no thread wrote, read anything new, or ended%s",
               idle * (TICK_US * 1e-6), why);
}

void hang_look(void *pc)
{
    if (hang_stuck & HANG_END)
        hang_give_up(pc, "");
    if (hang_stuck & HANG_SAY)
        fault_remark(
            simt_self, pc,
            "still at work: for %.3g s no thread has ended: a long loop, or an endless one",
            quiet * (TICK_US * 1e-6));
    hang_stuck &= ~HANG_SAY;
}

/* The next basic block sees hang_stuck; only a loop that calls nothing is here a tick later. */
static void on_tick(int number, siginfo_t *info, void *context)
{
    static uint64_t before, ends, work;
    uint64_t now = hang_changes + hang_news;
    bool over = simt_now.finished == simt_now.blocks, ended = ends != hang_ends;
    bool calls_nothing = hang_stuck && work == hang_work && simt_self;
    if ((ended || over) && quiet > SAY_TICKS * patience)
        patience *= 2;
    quiet = ended || over ? 0 : quiet + hang_running;
    if (now != before || over)
        idle = 0;
    else if (simt_self || hang_retries > 0) /* else it is the simulator that takes so long */
        idle++;
    before = now;
    ends = hang_ends;
    work = hang_work;
    hang_stuck = (idle >= COMPARE_TICKS ? HANG_COMPARE : 0) |
                 (quiet == SAY_TICKS * patience ? HANG_SAY : 0) |
                 (idle >= SAY_TICKS * PATIENCE * patience ? HANG_END : 0);
    if (!calls_nothing || idle < 3 * COMPARE_TICKS)
        return;
    if (pthread_equal(watched, pthread_self()))
        hang_give_up(signal_pc(context), "");
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

void hang_make_block(struct block *b)
{
    struct hang_watch *of_all = simt_zeroed_lines(MAX_BLOCK, sizeof *of_all);
    for (unsigned i = 0; i < MAX_BLOCK; i++)
        b->threads[i].watch = &of_all[i];
}

void hang_begin_thread(struct thread *t)
{
    t->watch->slice = 0;
    t->watch->own_time = 0;
    hang_write(t);
}

static void spin(struct thread *t, void *pc)
{
    t->watch->polls = t->watch->looks = 0;
    simt_wait_for_write(pc);
}

/* The anchor is the first place that a thread comes to while states are compared. */
static bool at_anchor(struct thread *t, uintptr_t address, const void *pc)
{
    struct hang_watch *w = t->watch;
    if (!hang_comparing)
        return false;
    if (w->anchored == comparison)
        return w->anchor == address && w->anchor_pc == pc;
    w->anchored = comparison;
    w->anchor = address;
    w->anchor_pc = pc;
    return false;
}

static bool looked_enough(const struct thread *t)
{
    return t->watch->looks >= (hang_retries > 0 ? LOOKS_AGAIN : HANG_LOOKS);
}

void hang_step(struct thread *t, void *pc)
{
    hang_news += !hang_looked;
    t->watch->looks++;
    if (looked_enough(t) || at_anchor(t, 0, pc))
        spin(t, pc);
}

void hang_read_long(struct thread *t, uintptr_t address, void *pc)
{
    bool polls = t->watch->polls > HANG_POLLS;
    hang_polls += polls;
    if (hang_retries > 0 && !hang_reads_host)
        hang_reads_host = allocation_host_sees(address);
    if (polls || looked_enough(t) || at_anchor(t, address, pc))
        spin(t, pc);
}

void hang_poll(uintptr_t address)
{
    hang_host_reads += allocation_host_sees(address);
}

void hang_slice(struct thread *t, void *pc)
{
    hang_slices++;
    if (++t->watch->slice < SLICE)
        return;
    t->watch->slice = 0;
    simt_wait(READY, pc);
}

/* No time, a number that moves forward. It stands still for a thread that asks and writes nothing,
   as long as any can go on: so a wait with a limit ends only in vain. Then time passes
   (deadlock.c). */
static long long hang_clock(struct thread *t, void *pc)
{
    static long long asked;
    if (!t)
        return hang_time + ++asked;
    hang_slice(t, pc);
    bool enough = ++t->watch->asked % HANG_POLLS == 0 && !hang_comparing;
    t->watch->looks++;
    if (looked_enough(t) || enough || at_anchor(t, 0, pc))
        spin(t, pc);
    if (t->watch->asked <= HANG_POLLS)
        asked++;
    else if (t->watch->asked <= ASKS)
        t->watch->own_time++;
    return hang_time + asked + t->watch->own_time;
}

long long simt_clock(void)
{
    return hang_clock(simt_self, __builtin_return_address(0));
}

/* ---- for deadlock.c ---- */

void hang_compare(bool on)
{
    hang_comparing = on;
    comparison++;
}

void hang_clear(void)
{
    hang_retries = 0;
    hang_polls = 0;
    hang_comparing = hang_reads_host = false;
}

/* The address: a long copy is one call, and its progress is not in the kernel's frame. */
uint64_t hang_state(const struct thread *t)
{
    uint64_t sum = hang_mix(t->watch->state, t->watch->polled);
    return hang_mix(hang_mix(sum, (uint64_t)t->state), (uintptr_t)t);
}
