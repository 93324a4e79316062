/* barriers.h: where threads meet: at barriers of a block, a cluster and the grid, and as lanes of a
   warp; cuda::barrier and asynchronous copies. */
#pragma once

#include "thread.h"

extern bool simt_all_wanted;      /* at barriers, shuffles and votes: simt_want_all() */
extern bool simt_barriers_wanted; /* at barriers of the block: simt_want_barriers() */

void barriers_make_block(struct block *b);
void barriers_begin_block(struct block *b);
/* The threads of a block that are in this state go on, together. */
void barriers_release(struct block *b, enum thread_state state);
/* The barrier is over if all have come: true. */
bool barriers_release_block(struct block *b);
bool barriers_release_grid(void);

/* ---- async.c ---- */

void async_begin_block(struct block *b);

/* ---- cluster.c ---- */

void cluster_make_block(struct block *b);
void cluster_begin_block(struct block *b);
bool cluster_release(struct block *first); /* its barrier, if all came; true: some go on */
/* The running thread touches another block's shared memory. */
void cluster_visit(struct block *owner, size_t offset, bool write, void *pc);
void cluster_poll(uintptr_t address); /* it has read this, by volatile or an atomic */
void cluster_thread_done(struct thread *t);
/* A thread of its cluster for which t waits in vain, or NULL. */
const struct thread *cluster_missing(const struct thread *t);

/* ---- warp.c ---- */

void warp_make_block(struct block *b);
void warp_begin_block(struct block *b);
/* No thread of the block can go on: lets those at __activemask() do so, and finds those that wait
   for a lane that has returned. Returns whether any goes on. */
bool warp_resolve(struct block *b);

extern const char *const op_names[];
/* An operation on matrices of all 32 lanes, at this place. complete() runs when the last lane of
   t's warp has come: mask names the lanes that exist and have not returned. */
typedef void warp_function(const struct thread *t, unsigned mask);
void warp_matrix_op(enum simt_op op, uint64_t value, unsigned argument, warp_function *complete,
                    void *site);
/* What that lane of t's warp brought to the operation. */
enum simt_op warp_op_of(const struct thread *t);
uint64_t warp_value(const struct thread *t, unsigned lane);
unsigned warp_argument(const struct thread *t, unsigned lane);
