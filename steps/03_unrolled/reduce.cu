/*
 * Step 03: unrolled (source 001: v3, v4, v5).
 *
 * New:     each thread first adds up several elements of its own (v3); the last warp no longer
 *          waits for the whole block (v4); the compiler knows the block size (v5).
 * Why:     a load takes hundreds of cycles. A thread that asks for eight values at once waits
 *          hardly longer than for one. And there are fewer barriers to wait at.
 * Look at: 2, 4 and 8 loads in v3, then what v4 and v5 still add: ./step03 -n 16M
 */
#include "lesson.h"

typedef void kernel_fn(float *in, float *partial, size_t n);

/* The last 64 values belong to one warp: it waits for its own 32 lanes, not for the block.
   It must wait: since Volta each lane has its own program counter and may run ahead. */
static __device__ void last_warp(float *idata, unsigned count)
{
    unsigned tid = threadIdx.x;
#pragma unroll
    for (unsigned stride = 32; stride > 0; stride /= 2) {
        if (tid < stride && tid + stride < count)
            idata[tid] += idata[tid + stride];
        __syncwarp(); /* the next round reads what other lanes have just written */
    }
}

/* What all kernels below do. It is pasted into each of them (inlined), so where the block size
   is a constant the compiler writes out the whole tree: no counter, no loop test. */
template <int LOADS, bool LAST_WARP>
static __device__ __forceinline__ void add_block(float *in, float *partial, size_t n,
                                                 unsigned block)
{
    unsigned tid = threadIdx.x, share = block * LOADS;
    size_t begin = (size_t)blockIdx.x * share; /* this block's share of the array ... */
    unsigned count = n - begin < share ? (unsigned)(n - begin) : share;
    float *idata = in + begin;  /* ... is idata[0] to idata[count - 1] */
    float a[LOADS], sum = 0.0f; /* a1, a2, ... in registers, once the loops are unrolled */

#pragma unroll
    for (int k = 0; k < LOADS; k++) /* nobody waits here: all loads are soon on their way */
        a[k] = tid + k * block < count ? idata[tid + k * block] : 0.0f;
#pragma unroll
    for (int k = 0; k < LOADS; k++)
        sum += a[k];
    if (tid < count)
        idata[tid] = sum;
    __syncthreads();

    for (unsigned stride = block / 2; stride > (LAST_WARP ? 32 : 0); stride /= 2) {
        if (tid < stride && tid + stride < count)
            idata[tid] += idata[tid + stride];
        __syncthreads(); /* the next round reads what other threads have just written */
    }
    if (LAST_WARP && tid < 32)
        last_warp(idata, count);
    if (tid == 0)
        partial[blockIdx.x] = count > 0 ? idata[0] : 0.0f;
}

template <int LOADS> static __global__ void v3(float *in, float *partial, size_t n)
{
    add_block<LOADS, false>(in, partial, n, blockDim.x);
}

static __global__ void v4(float *in, float *partial, size_t n)
{
    add_block<8, true>(in, partial, n, blockDim.x);
}

template <unsigned BLOCK> static __global__ void v5(float *in, float *partial, size_t n)
{
    add_block<8, true>(in, partial, n, BLOCK);
}

/* Blocks cannot wait for each other, but a launch waits for the one before it. So the kernel
   runs again on the partial sums it left, one for each block, until one value is left. */
static void sum_by_relaunch(struct sum *s, kernel_fn *kernel, unsigned per_thread,
                            size_t shared_bytes)
{
    size_t share = (size_t)s->block * per_thread; /* elements that one block adds up */
    unsigned grid = blocks_for(s->n, share), pass = 0;
    float *in = s->in;
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

template <int LOADS> static void launch_v3(struct sum *s)
{
    sum_by_relaunch(s, v3<LOADS>, LOADS, 0);
}

static void launch_v4(struct sum *s)
{
    sum_by_relaunch(s, v4, 8, 0);
}

static void launch_v5(struct sum *s)
{
    /* A template is compiled once for each constant: one kernel for each block size. */
    kernel_fn *const kernels[] = {v5<64>, v5<128>, v5<256>, v5<512>, v5<1024>};
    sum_by_relaunch(s, kernels[tree_depth(s->block / 64)], 8, 0);
}

/* name, what, launcher, elements a thread sums, flags, blocks it admits, smallest block */
static const struct variant variants[] = {
    {"v3x2", "2 loads per thread before the tree", launch_v3<2>, 2, EATS_INPUT, BLOCK_POWER_OF_TWO},
    {"v3x4", "4 loads per thread before the tree", launch_v3<4>, 4, EATS_INPUT, BLOCK_POWER_OF_TWO},
    {"v3x8", "8 loads per thread before the tree", launch_v3<8>, 8, EATS_INPUT, BLOCK_POWER_OF_TWO},
    {"v4", "v3x8, the last warp unrolled, with __syncwarp()", launch_v4, 8, EATS_INPUT,
     BLOCK_POWER_OF_TWO, 64},
    {"v5", "v4, fully unrolled: the block size is a template argument", launch_v5, 8, EATS_INPUT,
     BLOCK_POWER_OF_TWO, 64},
};

int main(int argc, char **argv)
{
    const struct lesson lesson = {.name = "03_unrolled",
                                  .idea = "several loads on their way at once, and fewer barriers",
                                  .variants = variants,
                                  .variant_count = sizeof variants / sizeof variants[0]};
    return run_lesson(argc, argv, &lesson);
}
