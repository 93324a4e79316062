/* launch.h: a launch, from what CUDA would refuse to what was counted. */
#ifndef SIMT_LAUNCH_H
#define SIMT_LAUNCH_H

#include "thread.h"

/* A launch as a stream keeps it, and after it the bytes of its closure. */
struct kernel_launch {
    struct simt_how how;
    void (*call)(const void *);
    size_t bytes;
    _Alignas(16) char closure[];
};
cudaError_t launch_at_once(const struct simt_how *how, void (*call)(const void *),
                           const void *closure, size_t bytes);
/* By a kernel: when its grid has ended. */
cudaError_t launch_child(const struct simt_how *how, void (*call)(const void *),
                         const void *closure, size_t bytes);
cudaError_t launch_now(const void *kernel_launch); /* the same */

/* With several devices: why it cannot be, or cudaSuccess; begins it on the device entered; goes on
   with it. order: among the launches of the program, for simt_launch(). */
cudaError_t launch_error(const struct simt_how *how);
void launch_begin(const struct kernel_launch *launch, const uint32_t known[MOST_DEVICES]);
enum launch_state {
    LAUNCH_WAITS,
    LAUNCH_MOVED,
    LAUNCH_ENDED,
    LAUNCH_FAILED
} launch_step(uint64_t order);
void launch_thread(void); /* this thread of the host runs kernels now */
/* Calls a function that finds something wrong with the launch of the device entered; returns true
   if that is abandoned. */
bool launch_guarded(void (*find)(void));

#endif
