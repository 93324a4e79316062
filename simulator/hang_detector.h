/* hang_detector.h: makes threads that poll memory yield, and finds loops that never end. deadlock.c
   tries again when only such threads are left. */
#pragma once

#include "thread.h"

/* Of one thread; what each access needs in one line of the cache. */
struct hang_watch {
    _Alignas(64) uintptr_t polled; /* the address read last, how often in a row, and from where */
    void *polled_from;
    unsigned polls;
    unsigned looks;            /* reads and steps since its last write */
    uintptr_t lowest, highest; /* of all addresses read since then */
    unsigned asked;            /* the clock, since then */
    unsigned slice;            /* volatile reads and atomics */
    uint64_t easy_reads;       /* access.c's, for it shares that line */
    uint64_t state;            /* where it waits (deadlock.c) */
    long long own_time;        /* what it reads of the clock is more by this */
    uintptr_t anchor;          /* while states are compared: where it is to wait again ... */
    const void *anchor_pc;
    unsigned anchored; /* ... and the number of that comparison */
};
enum {
    HANG_POLLS = 16,   /* reads of one place in a row, and the thread yields */
    HANG_LOOKS = 4096, /* reads, barriers and the like since it changed something: it yields */
};
/* Writes, threads that began or ended. And what changes nothing, but is not waiting either: reads
   further out than before, barriers when no thread has read anything. */
extern volatile uint64_t hang_changes, hang_news,
    hang_ends;            /* the last: threads that ended alone */
extern bool hang_running; /* a launch, and not the host */
extern bool hang_looked;  /* a thread has read something since the last change */

void hang_begin(void); /* in this thread of the host */
void hang_make_block(struct block *b);
void hang_begin_thread(struct thread *t);

void hang_step(struct thread *t, void *pc);  /* it comes to a barrier or a warp operation */
void hang_slice(struct thread *t, void *pc); /* a volatile access or an atomic: it may yield */
void hang_poll(uintptr_t address);           /* it has read it, and expects that others write it */

extern uint64_t hang_work, hang_slices; /* basic blocks so far; calls of hang_slice() */
/* Not 0: at the next basic block a thread is to call hang_look(), or to compare its states. */
enum { HANG_COMPARE = 1, HANG_SAY = 2, HANG_END = 4 };
extern volatile int hang_stuck;
void hang_look(void *pc);
void hang_give_up(void *pc, const char *why) __attribute__((noreturn));

/* For deadlock.c. Retries in which nothing changed; threads that yielded in them since they read
   one place again and again; the time that has passed so. */
extern unsigned hang_retries;
extern uint64_t hang_polls;
extern long long hang_time;
/* A thread has read memory that the host may write, in these retries; its volatile reads so far. */
extern bool hang_reads_host;
extern uint64_t hang_host_reads;
extern bool hang_comparing; /* states are compared: a thread waits when it is back at a place */
void hang_compare(bool on); /* from now on, anew */
void hang_clear(void);      /* something has changed */
/* What stands for the registers and stack of a thread that waits; with what it reads. */
uint64_t hang_state(const struct thread *t);
static inline uint64_t hang_mix(uint64_t sum, uint64_t more)
{
    sum = (sum ^ more) * 0x9e3779b97f4a7c15u;
    return sum ^ sum >> 29;
}

/* ---- each access passes here: inlined ---- */

void hang_read_long(struct thread *t, uintptr_t address, void *pc); /* of the function below */

static inline void hang_reach(struct hang_watch *w, uintptr_t address)
{
    if (address >= w->lowest && address <= w->highest)
        return;
    w->lowest = address < w->lowest ? address : w->lowest;
    w->highest = address > w->highest ? address : w->highest;
    hang_news++;
}

/* The thread reads; it may yield. */
static inline void hang_read(struct thread *t, uintptr_t address, void *pc)
{
    struct hang_watch *w = t->watch;
    hang_looked = true;
    hang_reach(w, address);
    if (w->polled != address || w->polled_from != pc)
        w->polls = 0;
    w->polled = address;
    w->polled_from = pc;
    w->polls++;
    w->looks++;
    if (w->polls > HANG_POLLS || w->looks >= HANG_LOOKS || hang_retries > 0)
        hang_read_long(t, address, pc);
}

/* The same, where it has read another place before, and is not to yield. How far out it reads is
   looked at now and then: it is for a clock that ticks twice a second. */
static inline void hang_read_new(struct hang_watch *w, uintptr_t address, void *pc)
{
    hang_looked = true;
    if (w->looks % 8 == 0)
        hang_reach(w, address);
    w->polled = address;
    w->polled_from = pc;
    w->polls = 1;
    w->looks++;
}

/* It changed something. */
static inline void hang_write(struct thread *t)
{
    struct hang_watch *w = t->watch;
    w->polled = 0;
    w->looks = w->asked = 0;
    w->lowest = UINTPTR_MAX;
    w->highest = 0;
    hang_looked = false;
    hang_changes++;
    if (hang_retries > 0)
        hang_clear();
}

/* Or may have. */
static inline void hang_store(struct thread *t, uintptr_t address)
{
    t->watch->polled = 0;
    hang_reach(t->watch, address);
}

/* ---- deadlock.c ---- */

/* They try again, unless that is in vain; then time passes, if it may; else a deadlock: false. */
bool deadlock_retry(bool time_may_pass);
/* The same for several devices, step by step: begins; adds the threads of the device entered; is
   another retry worth while? Lets those of the device entered try; lets time pass. */
void deadlock_begin(void);
void deadlock_add(void);
bool deadlock_worth_retry(void);
void deadlock_wake(void);
bool deadlock_advance_time(void);
void deadlock_note_state(struct thread *t, void *pc); /* it is about to wait there */

/* At a basic block of a thread that may be in an endless loop (hang_stuck). */
void deadlock_look(void *pc);
