/*
 * hang_detector.h: makes threads that poll memory yield, and finds loops that never end. deadlock.c
 * tries again when only such threads are left.
 */
#ifndef SIMT_HANG_DETECTOR_H
#define SIMT_HANG_DETECTOR_H

#include "thread.h"

void hang_begin(void); /* in this thread of the host */
void hang_make_block(struct block *b);
void hang_begin_thread(struct thread *t);

void hang_read(struct thread *t, uintptr_t address, void *pc); /* it may yield */
void hang_write(struct thread *t);                             /* it changed something */
void hang_store(struct thread *t, uintptr_t address);          /* or may have */
void hang_step(struct thread *t, void *pc);  /* it comes to a barrier or a warp operation */
void hang_slice(struct thread *t, void *pc); /* a volatile access or an atomic: it may yield */
/* Did it read this address last? Then where from; else NULL. */
void *hang_polled_from(const struct thread *t, uintptr_t address);
bool hang_reads_nothing(const struct thread *t); /* since its last write */

extern uint64_t hang_work, hang_slices; /* basic blocks so far; calls of hang_slice() */
extern volatile int hang_stuck;         /* a thread is to call this: */
void hang_give_up(void *pc) __attribute__((noreturn));

/* For deadlock.c. Retries in which nothing changed; threads that yielded in them since they read
   one place again and again; the time that has passed so. */
extern unsigned hang_retries;
extern uint64_t hang_polls;
extern long long hang_time;
extern bool hang_comparing;  /* states are compared: a thread waits when it is back at a place */
void hang_compare(bool on);  /* from now on, anew */
void hang_clear(void);       /* something has changed */
uint64_t hang_changes(void); /* writes, threads that began or ended: so far */
bool hang_asks_clock(const struct thread *t);
/* What stands for the registers and stack of a thread that waits; with what it reads. */
void hang_keep_state(struct thread *t, uint64_t state);
uint64_t hang_state(const struct thread *t);
static inline uint64_t hang_mix(uint64_t sum, uint64_t more)
{
    sum = (sum ^ more) * 0x9e3779b97f4a7c15u;
    return sum ^ sum >> 29;
}

#endif
