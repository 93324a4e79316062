/* warp.h: what the lanes of a warp do together. */
#pragma once

#include "thread.h"

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
