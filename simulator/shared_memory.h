/* shared_memory.h: where the shared memory of a block is, and what is known of its bytes. While a
   block runs, it is where the linker put it (for each thread of the host anew) and in
   simt_dynamic_shared; else in block->shared. */
#pragma once

#include "thread.h"

extern char *shared_start; /* the static part, and the room that it takes in a block's */
extern size_t shared_bytes, shared_room;
void shared_find(void); /* in this thread of the host */
/* The state (below) of the first static byte of the block that runs. */
extern unsigned char *shared_states;

/* The block whose shared memory this is for a thread of b, or NULL; and its place there. */
struct block *shared_owner(struct block *b, uintptr_t address, size_t *offset);
void *shared_address(size_t offset); /* of the running block; NULL: outside */

/* The state of each byte. CLOSED: an asynchronous copy will bring it. */
enum shared_state { UNWRITTEN, WRITTEN, CLOSED };
static inline bool shared_any(const struct block *b, size_t offset, size_t bytes,
                              enum shared_state state)
{
    return memchr(b->written + offset, state, bytes) != NULL;
}
static inline void shared_set(struct block *b, size_t offset, size_t bytes, enum shared_state state)
{
    memset(b->written + offset, state, bytes);
}

void shared_make_block(struct block *b);  /* its memory */
void shared_begin_block(struct block *b); /* nothing is written */
void shared_swap_in(struct block *b);     /* it runs now; NULL: none does */
void shared_begin_launch(void);           /* no block has run */
/* The host's thread_local variables lie among the shared ones: they are kept and put back. */
void shared_keep_host(bool restore);
