/* transpose.h: the task of this topic. */
#ifndef TRANSPOSE_H
#define TRANSPOSE_H

#include "task.h"

enum { TILE_FLOATS = 32 * 32 };

/* Each tile of 32 x 32 floats: element (k, l) goes to (l, k). */
extern const struct task transpose_task;

#endif
