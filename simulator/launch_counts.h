/* launch_counts.h: what launches have counted, kept for simt_launch(). */
#ifndef SIMT_LAUNCH_COUNTS_H
#define SIMT_LAUNCH_COUNTS_H

#include "thread.h"

extern bool simt_counting; /* requests, too: simt_count_requests() */
void counts_keep(void);    /* those of the running launch, which has ended */
/* With several devices launches end in another order than they were asked for. */
void counts_keep_in_order(uint64_t order);
size_t counts_kept(void); /* launches since then */
void counts_clear(void);

#endif
