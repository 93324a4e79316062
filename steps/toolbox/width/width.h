/* width.h: how wide a part of a warp is, and the tasks of this topic. */
#ifndef WIDTH_H
#define WIDTH_H

#include "task.h"

enum { WIDTH = 8 };

/* Each row of 8 moved on by one; the sum of each 8, and of what is left at the end. */
extern const struct task width_rotate_task, width_sum_task;

#endif
