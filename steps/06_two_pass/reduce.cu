/*
 * Step 06: two passes, no atomics (sources 003 and 004).
 *
 * New:     each block writes its sum to a place of its own; a second launch of one block adds them.
 * Why:     no block waits for another at one address, nothing has to be zeroed first, and the
 *          order of the additions is fixed: the same bits in every run.
 * Look at: run it twice with one seed, then step 05: ./step06 -n 16M && ./step06 -n 16M
 *          The price is a second launch: ./step05 -n 64K && ./step06 -n 64K
 */
#include "lesson.h"

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

static __global__ void sum_blocks(const float *in, float *partial, size_t n)
{
    float sum = block_sum(thread_sum(in, n));
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sum;
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

static void launch_two_pass(struct sum *s)
{
    s->grid = stride_grid(s);
    sum_blocks<<<s->grid, s->block, 0, s->stream>>>(s->in, s->scratch, s->n);
    CUDA_CHECK(cudaGetLastError());
    /* Launches in one stream run one after the other: all partial sums are there. */
    sum_blocks<<<1, s->block, 0, s->stream>>>(s->scratch, s->out, s->grid);
    CUDA_CHECK(cudaGetLastError());
    s->depth = stride_steps(s) + 5 + 5 + blocks_for(s->grid, s->block) + 5 + 5;
}

/* name, what, launcher, elements a thread sums, flags, blocks it admits, smallest block */
static const struct variant variants[] = {
    {"two_pass", "one partial sum for each block, then one block adds them", launch_two_pass, 0, 0,
     BLOCK_WHOLE_WARPS, 32},
};

int main(int argc, char **argv)
{
    const struct lesson lesson = {.name = "06_two_pass",
                                  .idea = "partial sums, then a second kernel; no atomics",
                                  .variants = variants,
                                  .variant_count = sizeof variants / sizeof variants[0]};
    return run_lesson(argc, argv, &lesson);
}
