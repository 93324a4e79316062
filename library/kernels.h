/*
 * kernels.h: the kernels of sum_f32.cu, and what sum_exact.cu shares with them. Each begins, if it
 * may, while the kernel before it in the stream still runs, and lets the next begin as soon as it
 * has its own elements. T is float for sum_f32(), and sum_of<T> is float too; step 12 has the other
 * types.
 */
#ifndef KERNELS_H
#define KERNELS_H

#include "parts/cluster.h"
#include "parts/slots.h"
#include "parts/types.h" /* sum_of<T>, and thread_sum() and block_sum() of other types */

#define AHEAD (32 * 1024) /* bytes that each block asks for before it may read them */

/* The kernel before may still be writing in[]: nothing may be read. But a line that is brought
   into L2 stays right whatever is written, for every write passes through L2 too. So one thread
   asks for the block's first tile, and all wait until the kernel before has ended. */
template <typename T> static __device__ void wait_for_input(const T *in, size_t n, unsigned loads)
{
#if defined(HOPPER_CODE) && !defined(SIMT_SIMULATOR)
    struct parts p = parts_of(in, n);
    size_t first = (size_t)blockIdx.x * loads * blockDim.x;
    if (threadIdx.x == 0 && first < p.vectors) {
        size_t bytes = (p.vectors - first) * sizeof(float4), tile = loads * blockDim.x * 16;
        bytes = bytes < tile ? bytes : tile;
        const T *ahead = in + p.head + sizeof(float4) / sizeof(T) * first;
        asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(ahead),
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
static __device__ void trigger_next_launch(void)
{
#ifdef HOPPER_CODE
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

#ifdef HOPPER_CODE

/* cluster_sum() of step 10, for other types: each block hands over one sum, not one a warp. */
template <typename SUM> static __device__ SUM cluster_sum(SUM value)
{
    __shared__ SUM sums[MOST_RANKS];
    cg::cluster_group cluster = cg::this_cluster();

    value = block_sum(value);
    cluster.barrier_wait();
    if (threadIdx.x == 0)
        cluster.map_shared_rank(sums, 0)[cluster.block_rank()] = value;
    cluster.barrier_arrive();
    if (cluster.block_rank() > 0)
        return 0;
    cluster.barrier_wait();
    value = 0;
    for (unsigned i = 0; threadIdx.x == 0 && i < cluster.num_blocks(); i++)
        value += sums[i];
    return value;
}

#endif

/* n in 32 bits, where that is enough: the way to the first load is shorter. */
template <int LOADS, typename T>
static __global__ void __launch_bounds__(512) one_block(const T *in, unsigned n, sum_of<T> *out)
{
    wait_for_input(in, n, LOADS);
    sum_of<T> sum = thread_sum<LOADS>(in, n);
    trigger_next_launch();
    sum = blockDim.x == 32 ? warp_sum(sum) : block_sum(sum);
    if (threadIdx.x == 0)
        *out = sum;
}

template <int LOADS, typename T>
static __global__ void __launch_bounds__(512)
    many_blocks(const T *in, size_t n, sum_of<T> *out, struct slots slots)
{
    wait_for_input(in, n, LOADS);
    unsigned epoch = next_epoch(slots);
    sum_of<T> sum = thread_sum<LOADS>(in, n);
    trigger_next_launch();
    finish_in_slots(block_sum(sum), blockIdx.x, gridDim.x, slots, epoch, out);
}

template <typename T>
static __global__ void __launch_bounds__(512) one_cluster(const T *in, unsigned n, sum_of<T> *out)
{
#ifdef HOPPER_CODE
    cg::this_cluster().barrier_arrive();
    wait_for_input(in, n, 4);
    sum_of<T> sum = thread_sum<4>(in, n);
    trigger_next_launch();
    sum = cluster_sum(sum);
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *out = sum;
#endif
}

#endif
