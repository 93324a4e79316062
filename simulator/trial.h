/* trial.h: does a finding matter to what a launch leaves? Two copies of the program run the launch
   to its end, one as it is, and one with another value where the finding is. */
#pragma once

#include "thread.h"

enum trial { TRIAL_NONE, TRIAL_AS_IS, TRIAL_ALTERED };
extern enum trial trial_role;      /* of this copy of the program; TRIAL_NONE: the program itself */
extern void (*trial_begins)(void); /* each copy calls it first */

/* About a finding at these places (the second may be NULL). In the program: did both copies leave
   the same memory and print the same? In a copy true: trial_is_altered(). */
bool trial_same(const void *pc, const void *other);
/* This copy's role here; is it to have another value here? */
enum trial trial_role_in(const void *pc, const void *other);
bool trial_is_altered(const void *pc, const void *other);
/* Does another value matter? It was tried, or is now, also where notes count as wrong. */
bool trial_differs(const void *pc);
/* Who writes these bytes next? By the last trial: NULL, it did not end; pc NULL, no thread. */
struct trial_write {
    void *pc;
    uint3 block, thread;
    bool itself; /* the thread that reads */
};
void trial_watch(uintptr_t address);
void trial_wrote(uintptr_t address, unsigned bytes, void *pc);
const struct trial_write *trial_later(const void *pc);
/* What the last trial of these places said: was it the same? */
bool trial_said_same(const void *pc, const void *other);

/* Both copies at once, whatever was tried before. True in a copy. In the program: what each ended
   with; enough(): what the altered one says makes the other one needless. */
struct trial_result {
    uint64_t memory, text; /* sums */
    struct trial_write later;
    bool whole; /* it came to its end */
};
bool trial_copies(const void *pc, const void *other, bool (*enough)(const struct trial_result *),
                  struct trial_result results[2]);
bool trial_are_same(const struct trial_result results[2]);
_Noreturn void trial_end(uint64_t memory, uint64_t text); /* a copy ends before its launch does */

/* The running thread's next load gets this; puts back what was there; is that still to come? */
extern bool trial_lends;
void trial_lend(void *p, uint64_t value, unsigned bytes);
void trial_restore(void);
/* Unwritten bytes become others, for good. */
void trial_spoil(void *p, size_t bytes);

/* A launch ends, or is suspended: a copy ends here. */
void trial_end_of_launch(bool whole);
