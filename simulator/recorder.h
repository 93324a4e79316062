/* recorder.h: the trace of chosen blocks, for simt_access() and its kin. */
#pragma once

#include "thread.h"

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
