/* barriers.h: barriers of a block and of the grid. */
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
