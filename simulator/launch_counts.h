/* launch_counts.h: what launches have counted, kept for simt_launch(). */
#pragma once

#include "thread.h"

extern bool simt_counting; /* requests, too: simt_count_requests() */
void counts_keep(void);    /* those of the running launch, which has ended */
/* With several devices launches end in another order than they were asked for. */
void counts_keep_in_order(uint64_t order);
/* SIMT_STATS=1, at the end: launches, threads, accesses, and how many in a second of processor
   time. A launch runs from now on; runs no more; a thread has ended. */
void stats_run(void);
void stats_pause(void);
extern uint64_t stats_accesses;
size_t counts_kept(void); /* launches since then */
void counts_clear(void);
