/* vote.h: the tasks of this topic: one word for each row of 32 floats, also for a partial last one.
 */
#ifndef VOTE_H
#define VOTE_H

#include "task.h"

/* The ballot of "is x > 0?"; whether any (bit 0) and whether all (bit 1) say yes; the sum of the
   floats' bits as whole numbers, modulo 2^32. */
extern const struct task vote_task, vote_any_all_task, redux_task;

#endif
