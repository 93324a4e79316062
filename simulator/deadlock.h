/* deadlock.h: only threads that poll are left. Can any of them go on? */
#pragma once

#include "thread.h"

/* They try again, unless that is in vain; then time passes, if it may; else a deadlock: false. */
bool deadlock_retry(bool time_may_pass);
/* The same for several devices, step by step: begins; adds the threads of the device entered; is
   another retry worth while? Lets those of the device entered try; lets time pass. */
void deadlock_begin(void);
void deadlock_add(void);
bool deadlock_worth_retry(void);
void deadlock_wake(void);
bool deadlock_advance_time(void);
void deadlock_note_state(struct thread *t, void *pc); /* it is about to wait there */

/* At a basic block of a thread that may be in an endless loop (hang_stuck). */
void deadlock_look(void *pc);
