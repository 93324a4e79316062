/* scheduler.h: which thread of a block runs, and when it hands over to the next. */
#pragma once

#include "thread.h"

extern uint64_t simt_seed; /* of the schedule, 0: natural order */
extern uint64_t
    simt_writes; /* stores and changing atomics so far: what a polling thread waits for */
uint64_t simt_random(void);
void schedule_begin(uint64_t seed); /* 0: that of SIMT_SCHEDULE, if it is set */

/* The running thread hands over to others, in the state given, at this place. */
void simt_wait(enum thread_state state, void *site);
/* The same, SPINNING: until memory has changed. */
void simt_wait_for_write(void *site);
/* The running thread ends without a trace: its launch starts again. */
void schedule_leave(void);

/* Set by those above: the running thread is about to wait; has ended. */
struct scheduler_events {
    void (*waits)(enum thread_state state, void *site);
    void (*ended)(struct thread *t);
};
extern struct scheduler_events scheduler_events;

void schedule_begin_launch(void); /* gridDim and its kin */
void schedule_begin_block(struct block *b);
/* All threads of the block that are READY run until they wait. Returns whether there were any. */
bool schedule_block(struct block *b);
/* Polling threads are READY if memory has changed since. Returns whether there are any. */
void schedule_wake(enum thread_state waiting); /* all that wait so go on */
bool schedule_wake_spinning(struct block *b);
void schedule_reset_block(struct block *b); /* its launch was abandoned */
