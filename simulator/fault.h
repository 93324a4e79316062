/* fault.h: what is wrong is reported in one line, with its place in the source; then the program
   ends with status 1. With SIMT_GO_ON=1 only the launch ends. pc: of the kernel, or NULL. */
#pragma once

#include "thread.h"

void simt_fault(const struct thread *t, void *pc, const char *format, ...)
    __attribute__((noreturn, format(printf, 3, 4)));
/* The same, but the caller can go on, and does so with SIMT_GO_ON=1. */
void simt_wrong(const struct thread *t, void *pc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* By the memory model alone: one line, once for each place. With SIMT_STRICT=1 it is the end. */
void simt_note(const struct thread *t, void *pc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Is wrong in no way: the program only takes long. */
void fault_remark(const struct thread *t, void *pc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void fault_found(const char *line); /* prints it, and the program will end with status 1 */
extern bool simt_strict, simt_go_on;

void fault_begin(void);         /* before the first launch */
void fault_catch_signals(void); /* in this thread of the host */
void *signal_pc(void *context); /* the place that a signal handler's third argument names */
/* The running thread has no stack left for what it does there; this ends it, and reports that. */
void fault_full_stack(void *pc);

/* NULL, or called in place of all reports: this is a copy of the program (trial.c). */
extern void (*fault_in_trial)(void);
/* Set by those above: reports what may explain this fault; ends the running launch. */
extern void (*fault_explain)(void), (*fault_abandon)(void);

/* An assertion of a kernel was false: from then on all that waits for the device returns
   cudaErrorAssert. A program that looks at it decides on its exit status itself; else it is 1. */
extern bool fault_asserted;
void fault_assertion_seen(bool seen);
cudaError_t fault_of_device(void); /* that, or cudaSuccess: the result of a call that waits */

/* "FILE:LINE" of a place in the kernel, "?" if unknown; kept for the program's life. */
const char *place_name(void *pc);
/* The class that is copied there, by a function of its own, or "". */
const char *place_copies(void *pc);
/* Asks for the names of up to 32 places at once, some of which may be NULL. */
void places_look_up(void *const *pcs, unsigned count);
/* Takes of the i-th place a function that is inlined there, or has it, and its "FILE:LINE";
   innermost first. */
typedef void (*place_taker)(void *to, size_t i, char *function, char *line);
void places_ask(void *const *pcs, size_t count, place_taker take, void *to);
extern bool places_stay;     /* who answers stays for the next question, until the program's end */
uintptr_t places_base(void); /* where the program's file has been loaded */
/* Where host code called the simulator: the last place that is not the simulator's own. */
void *place_of_call(void);
/* The same for a call that is asked about later: where it came from, the last place first. */
enum { CALL_PLACES = 6 };
void place_keep_call(void *places[CALL_PLACES]);
void *place_of_kept_call(void *const places[CALL_PLACES]);
/* The kernel of a launch that passed these places first: where it was entered, NULL if unknown; and
   its name. */
void *kernel_entry(void *const entered[ENTRIES]);
const char *kernel_name(void *const entered[ENTRIES]);

/* Room for one more element in an array of `count`: doubled when count is a power of two. */
void *simt_grow(void *array, size_t count, size_t bytes);
/* Zeroed memory for `count` elements. */
void *simt_zeroed(size_t count, size_t bytes);
void *simt_zeroed_lines(size_t count, size_t bytes); /* of the cache, for good: no free() */
