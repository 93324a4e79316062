/*
 * Step 01: a tree of additions, neighbours first (source 001: v0, v1).
 *
 * New:     one thread for each element. Each block of threads adds up its own share of the array,
 *          in place: pairs first, then pairs of pairs, until one value is left.
 * Why:     a tree over b values needs log2(b) rounds where one thread alone needs b - 1 additions.
 * Look at: v0 and v1 add the same values in the same order. Only the thread that does each
 *          addition differs, and so how many warps have to run: ./step01 -n 64K --counters
 */
#include "lesson.h"

typedef void kernel_fn(float *in, float *partial, size_t n);

static __global__ void v0(float *in, float *partial, size_t n)
{
    unsigned tid = threadIdx.x;
    size_t begin = (size_t)blockIdx.x * blockDim.x; /* this block's share of the array ... */
    unsigned count = n - begin < blockDim.x ? (unsigned)(n - begin) : blockDim.x;
    float *idata = in + begin; /* ... is idata[0] to idata[count - 1] */

    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        /* Every second thread works, then every fourth ...: a warp of 32 threads runs
           as long as one of its lanes has something to do, and the other lanes wait. */
        if (tid % (2 * stride) == 0 && tid + stride < count)
            idata[tid] += idata[tid + stride];
        __syncthreads(); /* the next round reads what other threads have just written */
    }
    if (tid == 0)
        partial[blockIdx.x] = count > 0 ? idata[0] : 0.0f;
}

static __global__ void v1(float *in, float *partial, size_t n)
{
    unsigned tid = threadIdx.x;
    size_t begin = (size_t)blockIdx.x * blockDim.x; /* this block's share of the array ... */
    unsigned count = n - begin < blockDim.x ? (unsigned)(n - begin) : blockDim.x;
    float *idata = in + begin; /* ... is idata[0] to idata[count - 1] */

    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        /* The first threads do the work, whichever element it is on: whole warps are
           busy, and the others have nothing to do but wait. */
        unsigned index = 2 * stride * tid;
        if (index + stride < count)
            idata[index] += idata[index + stride];
        __syncthreads(); /* the next round reads what other threads have just written */
    }
    if (tid == 0)
        partial[blockIdx.x] = count > 0 ? idata[0] : 0.0f;
}

/* Blocks cannot wait for each other, but a launch waits for the one before it. So the kernel
   runs again on the partial sums it left, one for each block, until one value is left.
   (More elements per thread come with step 03, shared memory with step 04.) */
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

static void launch_v0(struct sum *s)
{
    sum_by_relaunch(s, v0, 1, 0);
}

static void launch_v1(struct sum *s)
{
    sum_by_relaunch(s, v1, 1, 0);
}

/* name, what, launcher, elements a thread sums, flags, blocks it admits, smallest block */
static const struct variant variants[] = {
    {"v0", "neighbours first, every second thread: tid % (2 * stride) == 0", launch_v0, 1,
     EATS_INPUT, BLOCK_ANY, 2},
    {"v1", "neighbours first, the first threads: index = 2 * stride * tid", launch_v1, 1,
     EATS_INPUT, BLOCK_ANY, 2},
};

int main(int argc, char **argv)
{
    const struct lesson lesson = {.name = "01_interleaved",
                                  .idea = "a tree of additions, neighbours first",
                                  .variants = variants,
                                  .variant_count = sizeof variants / sizeof variants[0]};
    return run_lesson(argc, argv, &lesson);
}
