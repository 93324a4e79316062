/* summary.h: what is no fault and most likely a mistake: a line for each kind, in the end. */
#pragma once

enum summary_kind {
    UNASKED_LAUNCH,
    UNASKED_ERROR,
    UNWRITTEN_COPY,
    PART_COPY,
    READ_TOO_EARLY,
    SUMMARY_KINDS
};

/* One more of this kind, at pc. The line has the place and text of the first, and the number. */
void summary_add(enum summary_kind kind, void *pc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Those so far are none. */
void summary_forget(enum summary_kind kind);

/* ---- explore.c ---- */

void explore_schedules(void);
