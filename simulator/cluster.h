/* cluster.h: blocks that run together and reach each other's shared memory. */
#pragma once

#include "thread.h"

void cluster_make_block(struct block *b);
void cluster_begin_block(struct block *b);
bool cluster_release(struct block *first); /* its barrier, if all came; true: some go on */
/* The running thread touches another block's shared memory. */
void cluster_visit(struct block *owner, size_t offset, bool write, void *pc);
void cluster_poll(uintptr_t address); /* it has read this, by volatile or an atomic */
void cluster_thread_done(struct thread *t);
/* A thread of its cluster for which t waits in vain, or NULL. */
const struct thread *cluster_missing(const struct thread *t);
