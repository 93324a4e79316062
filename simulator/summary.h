/* summary.h: what is no fault and most likely a mistake: a line for each kind, in the end. */
#pragma once

#include <stddef.h>

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

/* ---- host_copies.c: which memory of the device still holds what the host has copied there ---- */

/* The host read so many bytes of memory that it shares with the device. */
void host_copies_read(size_t bytes);
/* So many bytes were copied. Does nothing before simt_watch_host(). */
void host_copies_note(void *to, const void *from, size_t bytes);
/* They were copied to the host. Notes an allocation of which the host takes the first quarter or
   eighth and never more, as if it had counted elements. */
void host_copies_took(const void *from, size_t bytes);
