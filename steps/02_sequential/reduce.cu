/*
 * Step 02: a tree of additions, far partners first (source 001: v2).
 *
 * New:     the stride begins at half a block and halves, where step 01's begins at 1 and doubles.
 * Why:     the threads of a warp now touch neighbouring elements in every round, and the memory
 *          system fetches neighbours together, in sectors of 32 bytes (8 floats).
 * Look at: as many load requests as v1, far fewer sectors:
 *          ./step01 -n 64K -v v1 --counters && ./step02 -n 64K --counters
 */
#include "lesson.h"

typedef void kernel_fn(float *in, float *partial, size_t n);

static __global__ void v2(float *in, float *partial, size_t n)
{
    unsigned tid = threadIdx.x;
    size_t begin = (size_t)blockIdx.x * blockDim.x; /* this block's share of the array ... */
    unsigned count = n - begin < blockDim.x ? (unsigned)(n - begin) : blockDim.x;
    float *idata = in + begin; /* ... is idata[0] to idata[count - 1] */

    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        /* Lane l reads element l of one row and adds element l of another: side by side.
           Halving needs a power of two: half of 7 is 3, and one value would be lost. */
        if (tid < stride && tid + stride < count)
            idata[tid] += idata[tid + stride];
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

static void launch_v2(struct sum *s)
{
    sum_by_relaunch(s, v2, 1, 0);
}

/* name, what, launcher, elements a thread sums, flags, blocks it admits, smallest block */
static const struct variant variants[] = {
    {"v2", "far partners first: stride = blockDim.x / 2, then half, and half again", launch_v2, 1,
     EATS_INPUT, BLOCK_POWER_OF_TWO, 2},
};

int main(int argc, char **argv)
{
    const struct lesson lesson = {.name = "02_sequential",
                                  .idea = "a tree of additions, far partners first",
                                  .variants = variants,
                                  .variant_count = sizeof variants / sizeof variants[0]};
    return run_lesson(argc, argv, &lesson);
}
