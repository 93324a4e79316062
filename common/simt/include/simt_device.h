/*
 * simt_device.h: the engine as kernels see it, through the macros and templates of
 * cuda_runtime.h. Where a kernel calls one of these, the return address names the
 * line in the source.
 */
#ifndef SIMT_DEVICE_H
#define SIMT_DEVICE_H

#include "cuda_runtime_api.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __cplusplus
/* Of the running thread: engine.c sets them whenever it changes threads. const: the
   same for a thread's whole life, so that a compiler need not ask again. */
extern const uint3 threadIdx, blockIdx, blockDim, gridDim;
static constexpr int warpSize = 32;
#endif
/* One place for the running block's dynamic shared memory. */
extern char simt_dynamic_shared[];

enum simt_op {
    SIMT_SYNC,
    SIMT_SHFL,
    SIMT_SHFL_UP,
    SIMT_SHFL_DOWN,
    SIMT_SHFL_XOR,
    SIMT_ANY,
    SIMT_ALL,
    SIMT_BALLOT,
    SIMT_MATCH_ANY,
    SIMT_MATCH_ALL,
    SIMT_REDUCE_ADD,
    SIMT_REDUCE_MIN,
    SIMT_REDUCE_MAX,
    SIMT_REDUCE_MIN_UNSIGNED,
    SIMT_REDUCE_MAX_UNSIGNED,
    SIMT_REDUCE_AND,
    SIMT_REDUCE_OR,
    SIMT_REDUCE_XOR,
};
/* Waits for the lanes in mask, then returns this lane's result. value: the lane's
   own; argument: source lane, distance or lane mask; width: 1, 2, 4 … 32. */
uint64_t simt_warp_op(enum simt_op op, unsigned mask, uint64_t value, unsigned argument,
                      unsigned width);
unsigned simt_active_mask(void);
/* Waits for the block; returns how many of its threads passed a non-zero predicate. */
int simt_block_barrier(int predicate);
void simt_grid_barrier(void);
void simt_fence(bool block_only);
/* Called before an atomic operation touches bytes at p, and after it. */
void simt_atomic_begin(void *p, size_t bytes, void *pc);
void simt_atomic_end(bool changed);
void simt_yield(void);
void simt_trap(void) __attribute__((noreturn));
long long simt_clock(void);

/* call(closure) runs the kernel for one thread. Returns CUDA's error for a launch
   that it would refuse, and leaves it for cudaGetLastError(). */
cudaError_t simt_launch_grid(dim3 grid, dim3 block, size_t shared, bool cooperative,
                             void (*call)(const void *closure), const void *closure, size_t bytes);
int simt_blocks_per_sm(int block, size_t shared);

#ifdef __cplusplus
}
#endif
#endif
