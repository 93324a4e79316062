/* access.h: every load and store of a kernel; here what other files announce by hand. */
#pragma once

#include "thread.h"

/* The running thread reads or writes 1, 2, 4, 8, 16 bytes. */
void simt_read(const void *p, size_t bytes, void *pc);
void simt_write(void *p, size_t bytes, void *pc);
/* It has changed memory in another way; the store that was announced last has been made. */
void access_changed(struct thread *t);
void access_settle(void);

/* The scope that simt_atomic_scope() gave, once, or this; that of the running thread's atomic. */
enum simt_scope access_scope(enum simt_scope otherwise);
enum simt_scope access_atomic_scope(void);

/* Closes shared bytes until an asynchronous copy brings them (false: elsewhere); opens them. */
bool access_close(void *p, unsigned bytes);
void access_open(void *p, unsigned bytes);
/* The running thread reads, or changes, a cuda::barrier, as by an atomic; and has done so. */
void access_barrier(void *p, bool change, void *pc);
void access_barrier_end(void *p);
/* A thread waits, and another goes on. None does: the next access is looked at closely. */
void access_thread_waits(enum thread_state state);
void access_look_closely(void);
/* Not all loads are seen: a thread in a loop lets others run nevertheless. */
extern bool access_blocks_yield;
/* It may read the stacks of its block's other threads from now on, or no more. */
void access_other_stacks(bool may);

void access_make_block(struct block *b);
void access_begin_launch(void);
void access_begin_block(struct block *b);
void access_end_thread(const struct thread *t);
void access_reset(void); /* a launch was abandoned */

/* The next atomic is an ordered load or store: counted as one, as hardware does. */
void access_atomic_load_or_store(void);

/* What the host has not waited for yet: false once it has. */
enum { LAUNCH_NOT_AWAITED = 1, COPY_NOT_AWAITED = 2 };
extern unsigned access_not_awaited;
/* An asynchronous copy brings bytes to pinned memory of the host. */
void access_copy_arrives(const void *to, size_t bytes);
/* The host reads by an atomic, so it waits; called before such and volatile reads, or NULL. */
void access_host_atomic(const void *p);
extern void (*access_host_polls)(const void *p);
