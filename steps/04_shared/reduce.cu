/*
 * Step 04: the tree in shared memory (source 001: v6).
 *
 * New:     the sums of the threads go to shared memory, and the tree works there.
 * Why:     shared memory lies inside the SM, close by and private to the block. Global memory is
 *          read once and not written, so the input survives; a missing value is simply a 0.
 * Look at: v6_interleaved takes step 01's order. The lanes of a warp then queue for the same
 *          banks; the column of wavefronts counts them: ./step04 -n 64K --counters
 *          The source's volatile code, wrong since Volta: ./step04 -v v6_volatile
 */
#include "lesson.h"

#define LOADS 8

typedef void kernel_fn(const float *in, float *partial, size_t n);

static __device__ void last_warp(float *smem)
{
    unsigned tid = threadIdx.x;
#pragma unroll
    for (unsigned stride = 32; stride > 0; stride /= 2) {
        if (tid < stride)
            smem[tid] += smem[tid + stride];
        __syncwarp(); /* the next round reads what other lanes have just written */
    }
}

/* The source's form, wrong on purpose: volatile makes every load and store happen, but no
   lane waits for another. */
static __device__ void last_warp_volatile(float *smem)
{
    volatile float *vmem = smem;
    unsigned tid = threadIdx.x;
#pragma unroll
    for (unsigned stride = 32; stride > 0; stride /= 2)
        vmem[tid] = vmem[tid] + vmem[tid + stride];
}

/* Leaves the sum of each thread's elements at smem[tid]: 0 if it has none. So every thread of
   the block has a value, and the trees below need no guard for the end of the array. */
static __device__ void add_on_load(const float *in, size_t n, float *smem)
{
    unsigned tid = threadIdx.x, share = blockDim.x * LOADS;
    size_t begin = (size_t)blockIdx.x * share; /* this block's share of the array ... */
    unsigned count = n - begin < share ? (unsigned)(n - begin) : share;
    const float *idata = in + begin; /* ... is idata[0] to idata[count - 1] */
    float a[LOADS], sum = 0.0f;      /* a1, a2, ... in registers, once the loops are unrolled */

#pragma unroll
    for (int k = 0; k < LOADS; k++) /* nobody waits here: all loads are soon on their way */
        a[k] = tid + k * blockDim.x < count ? idata[tid + k * blockDim.x] : 0.0f;
#pragma unroll
    for (int k = 0; k < LOADS; k++)
        sum += a[k];
    smem[tid] = sum;
    __syncthreads();
}

template <bool VOLATILE> static __global__ void v6(const float *in, float *partial, size_t n)
{
    extern __shared__ float smem[]; /* the third value between the chevrons says how much */
    unsigned tid = threadIdx.x;
    add_on_load(in, n, smem);

    for (unsigned stride = blockDim.x / 2; stride > 32; stride /= 2) {
        if (tid < stride)
            smem[tid] += smem[tid + stride];
        __syncthreads(); /* the next round reads what other threads have just written */
    }
    if (tid < 32) /* VOLATILE is true for the specimen, and for nothing else */
        VOLATILE ? last_warp_volatile(smem) : last_warp(smem);
    if (tid == 0)
        partial[blockIdx.x] = smem[0];
}

static __global__ void v6_interleaved(const float *in, float *partial, size_t n)
{
    extern __shared__ float smem[]; /* the third value between the chevrons says how much */
    unsigned tid = threadIdx.x;
    add_on_load(in, n, smem);

    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        /* Word w lies in bank w % 32, and a bank serves one word at a time. With stride 16
           the lanes of a warp want words 0, 32, 64, ...: all in bank 0, one after another. */
        unsigned index = 2 * stride * tid;
        if (index + stride < blockDim.x)
            smem[index] += smem[index + stride];
        __syncthreads(); /* the next round reads what other threads have just written */
    }
    if (tid == 0)
        partial[blockIdx.x] = smem[0];
}

/* Blocks cannot wait for each other, but a launch waits for the one before it. So the kernel
   runs again on the partial sums it left, one for each block, until one value is left. */
static void sum_by_relaunch(struct sum *s, kernel_fn *kernel, unsigned per_thread,
                            size_t shared_bytes)
{
    size_t share = (size_t)s->block * per_thread; /* elements that one block adds up */
    unsigned grid = blocks_for(s->n, share), pass = 0;
    const float *in = s->in;
    size_t n = s->n;

    s->grid = grid;
    s->depth = 0;
    do {
        grid = blocks_for(n, share);
        /* A pass reads one half of the scratch memory and writes the other. */
        float *partial = grid == 1 ? s->out : s->scratch + (size_t)(pass % 2) * s->grid;
        kernel<<<grid, s->block, shared_bytes, s->stream>>>(in, partial, n);
        CUDA_CHECK(cudaGetLastError());
        s->depth += per_thread - 1 + tree_depth(s->block);
        in = partial;
        n = grid;
        pass++;
    } while (grid > 1);
}

static void launch_v6(struct sum *s)
{
    sum_by_relaunch(s, v6<false>, LOADS, s->block * sizeof(float));
}

static void launch_v6_volatile(struct sum *s)
{
    sum_by_relaunch(s, v6<true>, LOADS, s->block * sizeof(float));
}

static void launch_v6_interleaved(struct sum *s)
{
    sum_by_relaunch(s, v6_interleaved, LOADS, s->block * sizeof(float));
}

/* name, what, launcher, elements a thread sums, flags, blocks it admits, smallest block */
static const struct variant variants[] = {
    {"v6", "v4 with the tree in shared memory", launch_v6, LOADS, 0, BLOCK_POWER_OF_TWO, 64},
    {"v6_interleaved", "neighbours first in shared memory, to meet bank conflicts",
     launch_v6_interleaved, LOADS, 0, BLOCK_ANY},
    {"v6_volatile", "specimen: v6 with volatile where __syncwarp() belongs", launch_v6_volatile,
     LOADS, SPECIMEN, BLOCK_POWER_OF_TWO, 64},
};

int main(int argc, char **argv)
{
    const struct lesson lesson = {.name = "04_shared",
                                  .idea = "the tree in shared memory",
                                  .variants = variants,
                                  .variant_count = sizeof variants / sizeof variants[0]};
    return run_lesson(argc, argv, &lesson);
}
