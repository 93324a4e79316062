/* suspended.h: with one device, a launch that waits for the host, and what streams are given
   meanwhile. A stream is known by its address, NULL: the device's own. apart: it does not
   wait for that one. */
#pragma once

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdint.h>

/* Does this at once, or, where it must come after a suspended launch, takes it in with a copy of
   data. run: NULL only takes a place. Returns the error of what was done at once. */
cudaError_t suspended_submit(const void *stream, bool apart, cudaError_t (*run)(const void *),
                             const void *data, size_t bytes);
bool suspended_any(void); /* is there a suspended launch? */
/* A number for all that the stream has been given, from the oldest on; 0: all of it is done. */
uint64_t suspended_mark(const void *stream, bool apart);
/* Is all up to that number done, now that the suspended launch was tried again? */
bool suspended_done(uint64_t mark);
/* Waits for it; returns the first error of what was done meanwhile. If it cannot be: a deadlock. */
cudaError_t suspended_wait(uint64_t mark);
#define SUSPENDED_ALL UINT64_MAX
/* The same for a call that synchronises: what went wrong on the device is an error, too. */
cudaError_t suspended_synchronize(uint64_t mark);
unsigned host_threads(void); /* of this process */
double host_now(void);       /* milliseconds */
