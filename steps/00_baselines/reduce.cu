/*
 * Step 00: what to compare with.
 *
 * New:     no kernel of ours yet. The sum on one CPU core in three ways; how fast the memory can
 *          be read and copied at all (the roof); the vendor's libraries (the bar to clear).
 * Why:     a time alone says nothing. A sum of n floats has to read 4 n bytes, so it cannot be
 *          faster than a kernel that reads them and does nothing else.
 * Look at: how close CUB comes to the plain read, size by size: ./step00 -n 64K,1M,16M,256M
 *          The errors of the CPU's three sums, beside their bounds: ./step00 -n 16M
 */
#include "cpu.h"
#include "device.h"
#include "lesson.h"

#ifndef SIMT_SIMULATOR /* only nvcc can compile these */
#include <cub/device/device_reduce.cuh>
#include <thrust/device_ptr.h>
#include <thrust/reduce.h>
#include <thrust/system/cuda/execution_policy.h>
#endif

static void launch_cpu_serial(struct sum *s)
{
    *s->out = serial_sum(s->in, s->n);
    s->depth = serial_depth(s->n);
}

static void launch_cpu_pairwise(struct sum *s)
{
    *s->out = pairwise_sum(s->in, s->n);
    s->depth = pairwise_depth(s->n);
}

static void launch_cpu_kahan(struct sum *s)
{
    *s->out = kahan_sum(s->in, s->n);
    s->depth = kahan_depth(s->n);
}

/* Reads n floats and writes n floats: twice the bytes of a sum. */
static void launch_copy(struct sum *s)
{
    static float *copy; /* kept for the next run; larger when n grows */
    static size_t room;

    if (s->n > room) {
        CUDA_CHECK(cudaFree(copy));
        CUDA_CHECK(cudaMalloc(&copy, s->n * sizeof(float)));
        room = s->n;
    }
    CUDA_CHECK(
        cudaMemcpyAsync(copy, s->in, s->n * sizeof(float), cudaMemcpyDeviceToDevice, s->stream));
}

#ifdef SIMT_SIMULATOR

static void (*const launch_cub)(struct sum *) = NULL;
static void (*const launch_thrust)(struct sum *) = NULL;

#else

/* The longest way through CUB's kernels, or a little more (CCCL 3.0, tuning_reduce.cuh and
   dispatch_reduce.cuh): tiles of 256 threads * 16 elements, 5 blocks for each one that an SM
   holds (4 at least, of 256 threads), then one block over the blocks' sums. A thread adds 16
   values a tile, a warp takes 5 rounds, 8 warps come one after another. */
static size_t cub_depth(size_t n, unsigned sms)
{
    size_t tiles = blocks_for(n, 256 * 16), most = 5 * 4 * (size_t)sms;
    size_t tiles_per_block = (tiles + most - 1) / most;
    size_t sums = 5 * 8 * (size_t)sms; /* 8 blocks of 256 threads fill an SM */
    return 16 * tiles_per_block + 5 + 8 + 16 * blocks_for(sums, 256 * 16) + 5 + 8;
}

static void launch_cub(struct sum *s)
{
    /* CUB needs one float for each block, 40 for each SM at most: the scratch memory has more.
       It says so itself if that should change. */
    size_t bytes = scratch_floats(s->n, s->block, 0, s->sms) * sizeof(float);
    CUDA_CHECK(cub::DeviceReduce::Sum(s->scratch, bytes, s->in, s->out, s->n, s->stream));
    s->depth = cub_depth(s->n, s->sms);
}

static void launch_thrust(struct sum *s)
{
    thrust::device_ptr<const float> in(s->in);
    /* Thrust calls CUB, waits for the sum, and returns it to the host. */
    float sum = thrust::reduce(thrust::cuda::par.on(s->stream), in, in + s->n, 0.0f);
    CUDA_CHECK(cudaMemcpyAsync(s->out, &sum, sizeof sum, cudaMemcpyHostToDevice, s->stream));
    s->depth = cub_depth(s->n, s->sms);
}

#endif

/* name, what, launcher, elements a thread sums, flags, blocks it admits, smallest block */
static const struct variant variants[] = {
    {"cpu_serial", "one CPU core, one element after another", launch_cpu_serial, 0, ON_CPU,
     BLOCK_ANY},
    {"cpu_pairwise", "one CPU core, halves of halves", launch_cpu_pairwise, 0, ON_CPU, BLOCK_ANY},
    {"cpu_kahan", "one CPU core, each rounding error carried on", launch_cpu_kahan, 0, ON_CPU,
     BLOCK_ANY},
    {"copy", "roof: device-to-device copy, reads and writes", launch_copy, 0, ROOF, BLOCK_ANY},
    {"read", "roof: a kernel that reads and does nothing else", launch_read, 0, ROOF, BLOCK_ANY},
    {"cub", "the bar: cub::DeviceReduce::Sum", launch_cub, 0, 0, BLOCK_ANY, 1,
     "CUB needs nvcc and a GPU"},
    {"thrust", "the bar: thrust::reduce, which returns its sum to the host", launch_thrust, 0,
     NOT_IN_GRAPH, BLOCK_ANY, 1, "Thrust needs nvcc and a GPU"},
};

int main(int argc, char **argv)
{
    const struct lesson lesson = {.name = "00_baselines",
                                  .idea = "what to compare with: CPU, roof, libraries",
                                  .variants = variants,
                                  .variant_count = sizeof variants / sizeof variants[0]};
    return run_lesson(argc, argv, &lesson);
}
