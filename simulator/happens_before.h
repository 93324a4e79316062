/* happens_before.h: which accesses of different threads are in order (hb_), by a vector clock for
   each thread. `early`: between a thread's arrival at a barrier of its cluster and its waiting
   there. */
#pragma once

#include "thread.h"

/* In order before what the running thread does now is all that was done up to `all`, and what its
   block did up to `upto`. All since `from` its block did. */
extern struct hb_order {
    uint32_t now, all, from, upto;
} hb_order;
static inline uint32_t hb_now(void)
{
    return hb_order.now;
}
void hb_run_block(const struct block *b); /* from now on this block runs */
uint32_t hb_block_at(uint32_t time);      /* the block that ran then, in this launch */
uint32_t hb_begun(const struct block *b); /* when it began */
/* Up to these times, what each device did comes before this launch; NULL: all that was done comes
   before all that is to come. Returns whether times start again. */
bool hb_begin_launch(const uint32_t known[MOST_DEVICES]);
void hb_enter(unsigned device); /* as thread_enter() */
void hb_begin_block(struct block *b);

/* Barriers. Of a cluster: so many came before, and one thread arrived relaxed. */
void hb_grid_barrier(void);
void hb_block_barrier(struct block *b);
void hb_cluster_barrier(struct block *first, unsigned number, bool relaxed);
void hb_warp_barrier(struct block *b, unsigned first, unsigned mask);

/* Is what that thread did at that time in order before what the running thread does now? */
bool hb_known(uint32_t time, uint32_t block, unsigned rank, bool early);
bool hb_before_barrier(uint32_t time, uint32_t block); /* by barriers of block or grid alone */
/* Of another block: the running thread has passed a fence after it read a flag, and that block has
   written no flag with a fence before it since then. */
bool hb_lacks_first_fence(uint32_t time, uint32_t block);
/* Not known, but it would be if the running thread had passed a fence after it read the flag. */
bool hb_lacks_second_fence(uint32_t time, uint32_t block, unsigned rank, bool early);
/* The same, with a barrier of its block for that fence, as in the Guide: hardware keeps it. */
bool hb_seen_at_barrier(uint32_t time, uint32_t block, unsigned rank);
/* Of another device: not known, but it would be if all fences and flags were of the system. */
bool hb_scope_too_narrow(uint32_t time, uint32_t block, unsigned rank, bool early);
/* The running thread passes a fence; in_order: one of those that all threads see in one order. */
void hb_fence(enum simt_scope scope, bool in_order);
/* By fences alone (fence.sc): has that block passed one after it, then the running thread? */
bool hb_by_fences(uint32_t time, uint32_t block);

/* Flags. Has the running thread passed a fence, so that what it writes now is a flag? A flag is
   read, is written. released: a time kept with the flag, 0 at first. */
bool hb_releases(void);
void hb_read_flag(uint32_t released);
uint32_t hb_write_flag(uint32_t released, bool atomic, enum simt_scope scope);

/* Phases of a cuda::barrier. `arrived` learns what the running thread knows; what waiting
   threads know, until the launch ends; the running thread has waited. All of so many words. */
size_t hb_phase_words(void);
void hb_arrive(uint32_t *arrived);
const uint32_t *hb_end_phase(const uint32_t *arrived);
void hb_pass_phase(const uint32_t *done);
