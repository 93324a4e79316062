/*
 * Step 05: a warp adds up its registers (sources 000, 002 and 004).
 *
 * New:     the lanes of a warp read each other's registers, and the blocks add their sums to the
 *          result with an atomic. No tree in memory, and one launch is enough.
 * Why:     a shuffle needs no memory and no barrier: a block waits once, not once a round.
 * Look at: an atomic for each warp, each block, each large share of a block: ./step05 -n 16M
 *          What a shuffle reads, lane by lane: ./step05 --demo
 */
#include "lesson.h"

#define NUM_PER_THREAD 16

typedef void kernel_fn(const float *in, float *out, size_t n);

int shuffle_demo(void); /* demo.cu */

/* Lane 0 gets the sum of its warp, the others something of no use. The mask names all 32 lanes,
   and a lane that is named must be there: so blocks are whole warps. */
static __device__ float warp_sum(float value)
{
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2)
        value += __shfl_down_sync(0xffffffff, value, offset);
    return value;
}

/* Thread 0 gets the sum of its block. 1024 threads are at most 32 warps, so one more warp_sum()
   adds up what the warps found. Two calls need a barrier between them: smem is used again. */
static __device__ float block_sum(float value)
{
    __shared__ float smem[32];
    unsigned tid = threadIdx.x;

    value = warp_sum(value);
    if (tid % 32 == 0)
        smem[tid / 32] = value;
    __syncthreads();
    if (tid < 32) {
        value = tid < (blockDim.x + 31) / 32 ? smem[tid] : 0.0f;
        value = warp_sum(value);
    }
    return value;
}

/* A grid-stride loop: all threads of the grid step on together, so any grid sums any n. */
static __device__ float thread_sum(const float *in, size_t n)
{
    size_t first = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t stride = (size_t)gridDim.x * blockDim.x; /* not in 32 bits: it could overflow */
    float sum = 0.0f;

    for (size_t i = first; i < n; i += stride)
        sum += in[i];
    return sum;
}

static __global__ void atomic_per_warp(const float *in, float *out, size_t n)
{
    float sum = warp_sum(thread_sum(in, n));
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, sum); /* the atomics come in any order: so may the last bits */
}

static __global__ void atomic_per_block(const float *in, float *out, size_t n)
{
    float sum = block_sum(thread_sum(in, n));
    if (threadIdx.x == 0)
        atomicAdd(out, sum);
}

static __global__ void block_reduce(const float *in, float *out, size_t n)
{
    unsigned tid = threadIdx.x, share = blockDim.x * NUM_PER_THREAD;
    size_t begin = (size_t)blockIdx.x * share; /* this block's share of the array ... */
    unsigned count = n - begin < share ? (unsigned)(n - begin) : share;
    const float *idata = in + begin; /* ... is idata[0] to idata[count - 1] */
    float sum = 0.0f;

#pragma unroll
    for (int k = 0; k < NUM_PER_THREAD; k++) /* the compiler puts all loads first */
        sum += tid + k * blockDim.x < count ? idata[tid + k * blockDim.x] : 0.0f;
    sum = block_sum(sum);
    if (tid == 0)
        atomicAdd(out, sum);
}

/* The atomics add to what is there, so a zero must be there first. */
static void sum_by_atomics(struct sum *s, kernel_fn *kernel)
{
    CUDA_CHECK(cudaMemsetAsync(s->out, 0, sizeof(float), s->stream));
    kernel<<<s->grid, s->block, 0, s->stream>>>(s->in, s->out, s->n);
    CUDA_CHECK(cudaGetLastError());
}

/* Enough blocks to fill the GPU, and no more than the elements need. */
static unsigned stride_grid(const struct sum *s)
{
    unsigned wanted = blocks_for(s->n, s->block), most = 8 * s->sms;
    return wanted < most ? wanted : most;
}

/* How many elements a thread of that grid meets, at most. */
static size_t stride_steps(const struct sum *s)
{
    size_t threads = (size_t)s->grid * s->block;
    return (s->n + threads - 1) / threads;
}

static void launch_atomic_per_warp(struct sum *s)
{
    s->grid = stride_grid(s);
    s->depth = stride_steps(s) + 5 + (size_t)s->grid * (s->block / 32);
    sum_by_atomics(s, atomic_per_warp);
}

static void launch_atomic_per_block(struct sum *s)
{
    s->grid = stride_grid(s);
    s->depth = stride_steps(s) + 5 + 5 + s->grid; /* thread, warp, warps, blocks in a row */
    sum_by_atomics(s, atomic_per_block);
}

static void launch_block_reduce(struct sum *s)
{
    s->grid = blocks_for(s->n, (size_t)s->block * NUM_PER_THREAD);
    s->depth = NUM_PER_THREAD + 5 + 5 + (size_t)s->grid;
    sum_by_atomics(s, block_reduce);
}

/* name, what, launcher, elements a thread sums, flags, blocks it admits, smallest block */
static const struct variant variants[] = {
    {"atomic_per_warp", "grid-stride loop, one atomic for each warp", launch_atomic_per_warp, 0, 0,
     BLOCK_WHOLE_WARPS, 32},
    {"atomic_per_block", "grid-stride loop, one atomic for each block", launch_atomic_per_block, 0,
     0, BLOCK_WHOLE_WARPS, 32},
    {"block_reduce", "16 loads per thread, one atomic for each block", launch_block_reduce,
     NUM_PER_THREAD, 0, BLOCK_WHOLE_WARPS, 32},
};

int main(int argc, char **argv)
{
    const struct lesson lesson = {.name = "05_warp_shuffle",
                                  .idea = "a warp adds up its registers with shuffles",
                                  .variants = variants,
                                  .variant_count = sizeof variants / sizeof variants[0],
                                  .demo = shuffle_demo};
    return run_lesson(argc, argv, &lesson);
}
