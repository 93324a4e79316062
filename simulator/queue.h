/* queue.h: with several devices, what streams were given and is not done yet. A work begins when
   those that it comes after are done, and ends with what its function returns. */
#pragma once

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdint.h>

struct work;
struct stream_state { /* of each stream that was made; of each device's own */
    unsigned device;
    bool apart;        /* cudaStreamNonBlocking: it does not wait for the device's own stream */
    struct work *last; /* or NULL */
};
typedef cudaError_t (*work_function)(const void *data);
/* run: NULL for work that only marks a place, launch_now: a launch. data is copied. stream: NULL
   for the device's own. after: NULL is nothing. The caller calls work_drop() with the result. */
struct work *queue_add(unsigned device, struct stream_state *stream, work_function run,
                       const void *data, size_t bytes, struct work *after);
/* The same in no stream: of a graph, whose works name one by one what they come after. */
struct work *queue_add_node(unsigned device, bool apart, work_function run, const void *data,
                            size_t bytes);
struct work *queue_mark(unsigned device); /* after all that this device has been given */
void queue_after(struct work *work, struct work *before);
void work_drop(struct work *work); /* may be NULL */
bool work_done(const struct work *work);
double work_ended(const struct work *work); /* when it was done; see queue_now() */

/* Runs what there is until this is done, and returns its error. If it cannot be: a deadlock. */
cudaError_t queue_wait(struct work *work);
cudaError_t queue_wait_for(struct work *work); /* and drops it */
/* Is it done, or can it be now, without more work from the host? */
bool queue_try(struct work *work);
cudaError_t queue_finish(void); /* all there is */

/* For a work's function: it cannot be done yet (return this), why; what comes before it. */
#define QUEUE_AGAIN ((cudaError_t)-1)
cudaError_t queue_again(const char *why);
uint32_t *queue_known(void);  /* NULL: there is no queue */
unsigned queue_threads(void); /* of the host */

/* ---- stream.c ---- */

/* stream NULL: the device's own. */
cudaError_t stream_submit(cudaStream_t stream, unsigned device, work_function run, const void *data,
                          size_t bytes);
