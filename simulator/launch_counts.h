/* launch_counts.h: what launches have counted, kept for simt_launch(); the trace of chosen blocks,
   for simt_access() and its kin. */
#pragma once

#include "thread.h"

void counts_keep(void); /* those of the running launch, which has ended */
/* With several devices launches end in another order than they were asked for. */
void counts_keep_in_order(uint64_t order);
/* SIMT_STATS=1, at the end: launches, threads, accesses, and how many in a second of processor
   time. A launch runs from now on; runs no more; a thread has ended. */
void stats_run(void);
void stats_pause(void);
extern uint64_t stats_accesses;
size_t counts_kept(void); /* launches since then */
void counts_clear(void);

/* ---- recorder.c ---- */

void recorder_choose(const unsigned *blocks, size_t count);
bool recorder_wants(const struct block *b);
/* A barrier ended: threads that waited in that state go on in this epoch. */
void recorder_barrier(const struct block *b, enum thread_state at, unsigned epoch);
void recorder_flush(struct block *b); /* requests_flush(), recorded first */
/* What is counted from now on is this block's share; NULL: no block's. */
void recorder_switch(const struct block *b);
void recorder_race(const struct simt_race *race); /* the text is copied */
size_t recorder_end(void);                        /* of the trace: its accesses */
void recorder_clear(void);
