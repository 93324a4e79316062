/*
 * Step 07: one launch, and a barrier for the whole grid (source 003).
 *
 * New:     the second pass of step 06 moves into the first kernel, behind grid.sync().
 * Why:     one launch in place of two, and still no atomics and a fixed order of additions.
 * Look at: against step 06, small and large: ./step06 -n 64K,16M && ./step07 -n 64K,16M
 *          The source's kernel, which sums the array once for every block:
 *          ./step07 -v cooperative_source
 */
#include "lesson.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

typedef void kernel_fn(const float *in, float *partial, float *out, size_t n);

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

/* Every thread of the grid comes here with its sum. */
static __device__ void finish(float sum, float *partial, float *out)
{
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sum;
    /* Nobody passes before all have come, so all blocks must be on the GPU at the same time.
       It is a barrier of the block as well: block_sum() may use its shared memory again. */
    cg::this_grid().sync();
    if (blockIdx.x > 0)
        return;
    sum = 0.0f;
    for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x)
        sum += partial[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        *out = sum;
}

static __global__ void cooperative(const float *in, float *partial, float *out, size_t n)
{
    finish(thread_sum(in, n), partial, out);
}

/* The source's loop, wrong on purpose: every block begins at its own thread number and steps by
   its own size. So each sums the whole array, and the result is gridDim.x times too large. */
static __global__ void cooperative_source(const float *in, float *partial, float *out, size_t n)
{
    float sum = 0.0f;
    for (size_t i = threadIdx.x; i < n; i += blockDim.x)
        sum += in[i];
    finish(sum, partial, out);
}

/* As many blocks as the GPU can hold at once, and no more than the elements need. */
static unsigned resident_grid(const struct sum *s, kernel_fn *kernel)
{
    int per_sm = 0;
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, kernel, (int)s->block, 0));
    unsigned wanted = blocks_for(s->n, s->block), most = (unsigned)per_sm * s->sms;
    return wanted < most ? wanted : most;
}

static void sum_cooperatively(struct sum *s, kernel_fn *kernel)
{
    void *args[] = {&s->in, &s->scratch, &s->out, &s->n};
    int device = 0, supported = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, device));
    CUDA_CHECK(supported ? cudaSuccess : cudaErrorNotSupported);

    s->grid = resident_grid(s, kernel);
    /* The chevrons promise no barrier of the grid; this call does, or it refuses the launch. */
    CUDA_CHECK(cudaLaunchCooperativeKernel(kernel, s->grid, s->block, args, 0, s->stream));
    size_t threads = (size_t)s->grid * s->block;
    s->depth = (s->n + threads - 1) / threads + 5 + 5 + blocks_for(s->grid, s->block) + 5 + 5;
}

static void launch_cooperative(struct sum *s)
{
    sum_cooperatively(s, cooperative);
}

static void launch_cooperative_source(struct sum *s)
{
    sum_cooperatively(s, cooperative_source);
}

/* name, what, launcher, elements a thread sums, flags, blocks it admits, smallest block */
static const struct variant variants[] = {
    {"cooperative", "grid.sync(), then block 0 adds the partial sums", launch_cooperative, 0, 0,
     BLOCK_WHOLE_WARPS, 32},
    {"cooperative_source", "specimen: the source's loop, gridDim.x times too large",
     launch_cooperative_source, 0, SPECIMEN, BLOCK_WHOLE_WARPS, 32},
};

int main(int argc, char **argv)
{
    const struct lesson lesson = {.name = "07_cooperative",
                                  .idea = "one launch with a barrier for the whole grid",
                                  .variants = variants,
                                  .variant_count = sizeof variants / sizeof variants[0]};
    return run_lesson(argc, argv, &lesson);
}
