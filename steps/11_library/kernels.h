/*
 * kernels.h: the kernels of sum_f32.cu. Each begins, if it may, while the kernel before it in the
 * stream still runs, and lets the next begin as soon as it has its own floats.
 */
#ifndef KERNELS_H
#define KERNELS_H

#include "09_single_pass/slots.h"
#include "10_clusters/cluster.h"

#define AHEAD (32 * 1024) /* bytes that each block asks for before it may read them */

/* The kernel before may still be writing in[]: nothing may be read. But a line that is brought
   into L2 stays right whatever is written, for every write passes through L2 too. So one thread
   asks for the block's first tile, and all wait until the kernel before has ended. */
static __device__ void wait_for_input(const float *in, size_t n, unsigned loads)
{
#if defined(HOPPER_CODE) && !defined(SIMT_SIMULATOR)
    struct parts p = parts_of(in, n);
    size_t first = (size_t)blockIdx.x * loads * blockDim.x;
    if (threadIdx.x == 0 && first < p.vectors) {
        size_t bytes = (p.vectors - first) * sizeof(float4), tile = loads * blockDim.x * 16;
        bytes = bytes < tile ? bytes : tile;
        asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(in + p.head + 4 * first),
                     "r"((unsigned)(bytes < AHEAD ? bytes : AHEAD))
                     : "memory");
    }
#endif
#ifdef HOPPER_CODE
    cudaGridDependencySynchronize();
#endif
}

/* From here on the next kernel in the stream may begin: this one has its data, and what is left
   for it to do does not fill the GPU. */
static __device__ void let_next_begin(void)
{
#ifdef HOPPER_CODE
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

/* n in 32 bits, where that is enough: the way to the first load is shorter. */
template <int LOADS>
static __global__ void __launch_bounds__(512) one_block(const float *in, unsigned n, float *out)
{
    wait_for_input(in, n, LOADS);
    float sum = thread_sum<LOADS>(in, n);
    let_next_begin();
    sum = blockDim.x == 32 ? warp_sum(sum) : block_sum(sum);
    if (threadIdx.x == 0)
        *out = sum;
}

template <int LOADS>
static __global__ void __launch_bounds__(512)
    many_blocks(const float *in, size_t n, float *out, struct slots slots)
{
    wait_for_input(in, n, LOADS);
    unsigned epoch = next_epoch(slots);
    float sum = thread_sum<LOADS>(in, n);
    let_next_begin();
    finish_in_slots(block_sum(sum), blockIdx.x, gridDim.x, slots, epoch, out);
}

static __global__ void __launch_bounds__(512) one_cluster(const float *in, unsigned n, float *out)
{
#ifdef HOPPER_CODE
    cg::this_cluster().barrier_arrive();
    wait_for_input(in, n, 4);
    float sum = thread_sum<4>(in, n);
    let_next_begin();
    sum = cluster_sum(sum);
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *out = sum;
#endif
}

#endif
