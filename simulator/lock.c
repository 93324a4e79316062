/* lock.c: one thread of the host at a time runs the simulator. */
#include "lock.h"
#include <sched.h>

static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static unsigned waiting; /* for the lock */

void simt_lock(void)
{
    if (pthread_mutex_trylock(&mutex) == 0)
        return;
    __atomic_fetch_add(&waiting, 1, __ATOMIC_SEQ_CST);
    pthread_mutex_lock(&mutex);
    __atomic_fetch_sub(&waiting, 1, __ATOMIC_SEQ_CST);
}

void simt_lock_yield(void)
{
    if (__atomic_load_n(&waiting, __ATOMIC_SEQ_CST) == 0)
        return;
    pthread_mutex_unlock(&mutex);
    while (__atomic_load_n(&waiting, __ATOMIC_SEQ_CST) != 0)
        sched_yield();
    pthread_mutex_lock(&mutex);
}

void simt_wait_for(pthread_cond_t *condition, const struct timespec *until)
{
    if (until)
        pthread_cond_timedwait(condition, &mutex, until);
    else
        pthread_cond_wait(condition, &mutex);
}

void simt_unlock(void)
{
    pthread_mutex_unlock(&mutex);
}
