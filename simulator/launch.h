/* launch.h: a launch, from what CUDA would refuse to what was counted. */
#pragma once

#include "thread.h"

/* A launch as a stream keeps it, and after it the bytes of its closure. */
struct kernel_launch {
    struct simt_how how;
    void (*call)(const void *);
    size_t bytes;
    _Alignas(16) char closure[];
};
/* For free(). */
struct kernel_launch *launch_copy(const struct simt_how *how, void (*call)(const void *),
                                  const void *closure, size_t bytes);
/* With one device: it runs to its end, or is suspended where only the host can end a wait. */
cudaError_t launch_now(const void *kernel_launch);
extern bool launch_none;      /* simt_run_kernels(false) */
extern bool launch_suspended; /* one is: it wants to be gone on with before another begins, ... */
/* ... by the thread of the host that launched it; may_suspend: again. */
cudaError_t launch_go_on(bool may_suspend);
bool launch_is_ours(void); /* of the calling thread */
/* By a kernel: when its grid has ended. */
cudaError_t launch_child(const struct simt_how *how, void (*call)(const void *),
                         const void *closure, size_t bytes);

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
/* Calls what finds something wrong with the entered device's launch: was that abandoned? */
bool launch_guarded(void (*find)(void));

/* ---- kernels.c ---- */

/* The launch with copies of these arguments, for free(); NULL: that kernel was never named. */
struct kernel_launch *kernels_launch(const struct simt_how *how, void **arguments);
