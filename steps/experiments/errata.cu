/*
 * Experiment errata: kernels of sources 000 and 002 where they are wrong, or right by luck. Each
 * is known to be wrong; the driver says what becomes of its sum, and the simulator which rule it
 * breaks. docs/errata.md goes through them one by one.
 *
 * Expect:  (written before the first run; H200) not_zeroed NaN; no_shared_bytes an illegal
 *          address; product_32 twice the sum or more; partial_warp wrong with -b 100, for the
 *          last warp is dropped; twice right by luck; warps_32 right by luck or wrong, whatever
 *          shared memory held.
 * Run:     make errata && ./errata --check -n 4096 -v not_zeroed
 */
#include "parts.h"

/* Source 000: the caller must zero the output, and it does not say so. */
static __global__ void atomic_per_block(const float *in, float *out, size_t n)
{
    float sum = block_sum(thread_sum<float, 1>(in, n));
    if (threadIdx.x == 0)
        atomicAdd(out, sum);
}

/* Source 000: extern memory, and "the number of warps is 32" taken at its word. */
template <bool ALWAYS_32>
static __global__ void extern_memory(const float *in, float *out, size_t n)
{
    extern __shared__ float smem[];
    unsigned tid = threadIdx.x;
    float sum = warp_sum(thread_sum<float, 1>(in, n));
    if (tid % 32 == 0)
        smem[tid / 32] = sum;
    __syncthreads();
    if (tid < 32) {
        sum = ALWAYS_32 || tid < (blockDim.x + 31) / 32 ? smem[tid] : 0.0f;
        sum = warp_sum(sum);
        if (tid == 0)
            atomicAdd(out, sum);
    }
}

/* Source 002's block reduce: the full mask for all warps, and whole warps counted only. */
static __device__ float block_sum_002(float value)
{
    __shared__ float warp_sums[32];
    unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    value = warp_sum(value);
    if (lane == 0)
        warp_sums[warp] = value;
    __syncthreads();
    if (warp == 0) {
        value = lane < blockDim.x / 32 ? warp_sums[lane] : 0.0f;
        value = warp_sum(value);
    }
    return value;
}

/* One block takes the array in two halves: the second call meets the first one's memory. */
template <int CALLS> static __global__ void calls_002(const float *in, float *out, size_t n)
{
    float sum = 0.0f;
    for (int k = 0; k < CALLS; k++) {
        size_t begin = n * k / CALLS, end = n * (k + 1) / CALLS;
        sum += block_sum_002(thread_sum<float, 1>(in + begin, end - begin));
    }
    if (threadIdx.x == 0)
        *out = sum;
}

typedef void kernel_fn(const float *in, float *out, size_t n);

static void launch(struct sum *s, kernel_fn *kernel, unsigned grid, size_t shared_bytes, bool zero)
{
    s->grid = grid;
    s->depth = block_depth<float, 1>(s->n, s->block) + s->grid;
    if (zero)
        CUDA_CHECK(cudaMemsetAsync(s->out, 0, sizeof(float), s->stream));
    kernel<<<grid, s->block, shared_bytes, s->stream>>>(s->in, s->out, s->n);
    CUDA_CHECK(cudaGetLastError());
}

static void launch_zeroed(struct sum *s)
{
    launch(s, atomic_per_block, 4, 0, true);
}

static void launch_not_zeroed(struct sum *s)
{
    launch(s, atomic_per_block, 4, 0, false);
}

static void launch_no_shared_bytes(struct sum *s)
{
    launch(s, extern_memory<false>, 4, 0, true);
}

static void launch_warps_32(struct sum *s)
{
    launch(s, extern_memory<true>, 4, 32 * sizeof(float), true);
}

static void launch_partial_warp(struct sum *s)
{
    launch(s, calls_002<1>, 1, 0, false);
}

static void launch_twice(struct sum *s)
{
    launch(s, calls_002<2>, 1, 0, false);
}

#ifndef SIMT_SIMULATOR /* 4 billion threads */
/* Source 000: the stride of its loop is a product of two 32-bit numbers. */
static __global__ void narrow_product(const float *in, float *out, size_t n)
{
    float sum = 0.0f;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += blockDim.x * gridDim.x)
        sum += in[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0 && sum != 0.0f)
        atomicAdd(out, sum);
}

/* So many blocks that the product is 2^32 and one block more: in 32 bits, one block. */
static void launch_product_32(struct sum *s)
{
    launch(s, narrow_product, (unsigned)(((size_t)1 << 32) / s->block) + 1, 0, true);
}
#endif

static const struct variant zeroed = {
    .name = "zeroed",
    .what = "right: source 000's, with a zero in the output",
    .launch = launch_zeroed,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
};

static const struct variant not_zeroed = {
    .name = "not_zeroed",
    .what = "source 000: the output is never zeroed",
    .launch = launch_not_zeroed,
    .flags = KNOWN_WRONG,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
};

static const struct variant warps_32 = {
    .name = "warps_32",
    .what = "source 000: 32 warps in every block",
    .launch = launch_warps_32,
    .flags = KNOWN_WRONG,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
};

static const struct variant no_shared_bytes = {
    .name = "no_shared_bytes",
    .what = "source 000: launched without shared memory",
    .launch = launch_no_shared_bytes,
    .flags = KNOWN_WRONG,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
};

static const struct variant product_32 = {
    .name = "product_32",
    .what = "source 000: blockDim.x * gridDim.x",
    .launch = NVCC_ONLY(launch_product_32),
    .flags = KNOWN_WRONG,
    .block_rule = BLOCK_POWER_OF_TWO,
    .min_block = 32,
    .why_not = "it needs more than 2^32 threads: too many for the simulator",
};

static const struct variant partial_warp = {
    .name = "partial_warp",
    .what = "source 002: blockDim.x / warpSize warps, full masks: see -b 100",
    .launch = launch_partial_warp,
    .flags = KNOWN_WRONG,
};

static const struct variant twice = {
    .name = "twice",
    .what = "source 002: the block reduce called twice",
    .launch = launch_twice,
    .flags = KNOWN_WRONG,
};

static const struct variant *const variants[] = {
    &zeroed, &not_zeroed, &warps_32, &no_shared_bytes, &product_32, &partial_warp, &twice, NULL,
};

extern const struct lesson lesson = {
    .name = "errata",
    .idea = "kernels as the sources have them, wrong ones",
    .variants = variants,
};
