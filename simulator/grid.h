/* grid.h: runs the blocks of a launch. */
#pragma once

#include "thread.h"

extern bool simt_backwards; /* the last block starts first: simt_last_block_first() */
/* Runs the launch in simt_now, or goes on with it, to its end. If it may be suspended, and can go
   on only when the host has written something, it stays as it is: false. */
bool grid_run(bool may_suspend);
void grid_reset(void); /* after a launch that was abandoned */
/* The same with several devices, whose launches alternate: the launch of the device entered begins;
   its blocks run until each has waited (false: none could go on, nor begin). */
void grid_begin(void);
bool grid_step(void);
void grid_enter(unsigned device);
/* A thread of that device's launch that has not ended, best one that polls; what it waits for. */
const struct thread *grid_waiting(unsigned device);
const char *grid_state(const struct thread *t);
