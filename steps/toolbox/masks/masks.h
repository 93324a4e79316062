/* masks.h: the task of this topic. */
#ifndef MASKS_H
#define MASKS_H

#include "task.h"

/* The n words of the array, added up as whole numbers (modulo 2^32), in out[0]. Any order gives the
   same bits, so a wrong one is no rounding. */
extern const struct task masks_task;

#endif
