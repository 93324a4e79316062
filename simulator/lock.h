/* lock.h: one thread of the host at a time runs the simulator; it may enter again. */
#pragma once

#include <pthread.h>
#include <time.h>

void simt_lock(void);
void simt_unlock(void);
/* Lets the threads of the host in that wait for the lock. */
void simt_lock_yield(void);
/* Waits without the lock, which is held once: until the time, if that is not NULL. */
void simt_wait_for(pthread_cond_t *condition, const struct timespec *until);
