/* host_copies.h: which memory of the device still holds what the host has copied there. */
#pragma once

#include <stddef.h>

/* The host read so many bytes of memory that it shares with the device. */
void host_copies_read(size_t bytes);
/* So many bytes were copied. Does nothing before simt_watch_host(). */
void host_copies_note(void *to, const void *from, size_t bytes);
/* They were copied to the host. Notes an allocation of which the host takes the first quarter or
   eighth and never more, as if it had counted elements. */
void host_copies_took(const void *from, size_t bytes);
