/*
 * Step 12: the function that one would ship.
 *
 * New:     nothing in the kernels but one thing: each may begin while the kernel before it in the
 *          stream still runs (programmatic dependent launch), ask the L2 cache for its first tile,
 *          and only then wait. The rest is choosing: one block, one cluster, or many blocks.
 * Why:     below a few million floats a sum is mostly launching and waiting for the first bytes.
 * Look at: ./step12, and against CUB at every size: make compare
 */
#include "10_single_pass/slots.h"
#include "11_clusters/cluster.h"
#include "sum_f32.h"
#include "sum_f32_plan.h"

#define AHEAD (32 * 1024) /* bytes that each block asks for before it may read them */

/* The kernel before may still be writing in[]: nothing may be read. But a line that is brought
   into L2 stays right whatever is written, for every write passes through L2 too. So one thread
   asks for the vectors that its block will read first, and all wait until the kernel before has
   ended. */
static __device__ void wait_for_input(const float4 *first, size_t vectors)
{
#if defined(HOPPER_CODE) && !defined(SIMT_SIMULATOR)
    if (threadIdx.x == 0 && vectors > 0) {
        size_t bytes = vectors * sizeof(float4);
        asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(first),
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
static __device__ void let_next_begin(void)
{
#ifdef HOPPER_CODE
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

/* One block or one cluster: n is small, and in 32 bits the way to the first load is shorter. */
template <int LOADS> static __device__ float small_sum(const float *in, unsigned n)
{
    struct parts p = parts_of(in, n);
    unsigned tile = LOADS * blockDim.x, first = blockIdx.x * tile;
    size_t left = first < p.vectors ? p.vectors - first : 0;
    wait_for_input((const float4 *)(in + p.head) + first, left < tile ? left : tile);
    float sum = thread_sum<LOADS>(in, n);
    let_next_begin();
    return sum;
}

template <int LOADS>
static __global__ void __launch_bounds__(512) one_block(const float *in, unsigned n, float *out)
{
    float sum = small_sum<LOADS>(in, n);
    sum = blockDim.x == 32 ? warp_sum(sum) : block_sum(sum);
    if (threadIdx.x == 0)
        *out = sum;
}

/* Rounds in which every block has a whole tile, as in step 09, up to vector `whole`; then what is
   left, in equal shares. With tiles alone some blocks would have one more than the others, and
   those would wait. The host divides: that takes long here, before the first load. */
template <int LOADS>
static __global__ void __launch_bounds__(512)
    many_blocks(const float *in, size_t n, size_t whole, unsigned share, float *out,
                struct slots slots)
{
    struct parts p = parts_of(in, n);
    const float4 *body = (const float4 *)(in + p.head), zero = {};
    unsigned tile = LOADS * blockDim.x;
    size_t first = whole + (size_t)blockIdx.x * share;
    size_t left = first < p.vectors ? p.vectors - first : 0;
    unsigned count = (unsigned)(left < share ? left : share);

    wait_for_input(body + (whole > 0 ? (size_t)blockIdx.x * tile : first),
                   whole > 0 ? tile : count);
    unsigned epoch = next_epoch(slots);
    float tail = blockIdx.x == 0 && threadIdx.x < p.tail ? in[n - p.tail + threadIdx.x] : 0.0f;
    float sum = thread_sum<LOADS>(in, p.head + 4 * whole);
    if (share > 0) {
        float4 v[LOADS];
#pragma unroll
        for (int k = 0; k < LOADS; k++) {
            unsigned i = threadIdx.x + k * blockDim.x;
            v[k] = i < count ? body[first + i] : zero;
        }
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            sum += (v[k].x + v[k].y) + (v[k].z + v[k].w);
    }
    sum += tail;
    let_next_begin();
    finish_in_slots(block_sum(sum), blockIdx.x, gridDim.x, slots, epoch, out);
}

static __global__ void __launch_bounds__(512) one_cluster(const float *in, unsigned n, float *out)
{
#ifdef HOPPER_CODE
    cg::this_cluster().barrier_arrive();
    float sum = cluster_sum(small_sum<4>(in, n));
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *out = sum;
#endif
}

/* Chevrons have no room for attributes: this is what they stand for. */
template <typename... Args>
static enum sum_f32_status launch(const struct sum_f32_plan *plan, bool overlap,
                                  cudaStream_t stream, void (*kernel)(Args...), Args... args)
{
    cudaLaunchAttribute attributes[2] = {};
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(plan->blocks);
    config.blockDim = dim3(plan->threads);
    config.stream = stream;
    config.attrs = attributes;
    if (plan->kind == ONE_CLUSTER) {
        attributes[config.numAttrs].id = cudaLaunchAttributeClusterDimension;
        attributes[config.numAttrs].val.clusterDim.x = plan->blocks;
        attributes[config.numAttrs].val.clusterDim.y = 1;
        attributes[config.numAttrs++].val.clusterDim.z = 1;
    }
    if (overlap) {
        attributes[config.numAttrs].id = cudaLaunchAttributeProgrammaticStreamSerialization;
        attributes[config.numAttrs++].val.programmaticStreamSerializationAllowed = 1;
    }
    cudaError_t error = cudaLaunchKernelEx(&config, kernel, args...);
    if (error == cudaErrorNoKernelImageForDevice)
        return SUM_F32_NO_DEVICE;
    return error == cudaSuccess ? SUM_F32_OK : SUM_F32_LAUNCH_FAILED;
}

/* What the plan depends on, asked for at every call: some ten nanoseconds. */
static bool ask_device(unsigned *sms, bool *hopper)
{
    int device, count, major;
    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device) != cudaSuccess ||
        cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) != cudaSuccess)
        return false;
    *sms = (unsigned)count;
    *hopper = major >= 9;
    return true;
}

static enum sum_f32_status check(const struct sum_f32_plan *plan, const float *in, size_t n,
                                 const float *out, const struct sum_f32_workspace *w)
{
    if (out == NULL || (in == NULL && n > 0) || w == NULL || w->memory == NULL)
        return SUM_F32_NULL_POINTER;
    if ((uintptr_t)in % sizeof(float) || (uintptr_t)out % sizeof(float) ||
        (uintptr_t)w->memory % sizeof(word))
        return SUM_F32_MISALIGNED;
    unsigned slots = plan->kind == MANY_BLOCKS ? plan->blocks : 0;
    return w->bytes < SLOT_BYTES(slots) ? SUM_F32_SMALL_WORKSPACE : SUM_F32_OK;
}

enum sum_f32_status sum_f32_by(const struct sum_f32_plan *plan, bool overlap, const float *in,
                               size_t n, float *out, const struct sum_f32_workspace *w,
                               cudaStream_t stream)
{
    enum sum_f32_status status = check(plan, in, n, out, w);
    if (status != SUM_F32_OK)
        return status;
    if (plan->kind == ONE_CLUSTER)
        return launch(plan, overlap, stream, one_cluster, in, (unsigned)n, out);
    if (plan->kind == ONE_BLOCK)
        return launch(plan, overlap, stream, plan->loads == 4 ? one_block<4> : one_block<8>, in,
                      (unsigned)n, out);
    struct parts p = parts_of(in, n);
    size_t round = (size_t)plan->blocks * plan->threads * plan->loads;
    size_t whole = p.vectors / round * round, line = 128 / sizeof(float4);
    unsigned share =
        (unsigned)((p.vectors - whole + plan->blocks * line - 1) / (plan->blocks * line) * line);
    struct slots slots = slots_in(w->memory, (unsigned)(w->bytes / sizeof(word) - 1));
    return launch(plan, overlap, stream, plan->loads == 8 ? many_blocks<8> : many_blocks<16>, in, n,
                  whole, share, out, slots);
}

extern "C" enum sum_f32_status sum_f32_workspace_bytes(size_t *bytes)
{
    unsigned sms;
    bool hopper;
    if (bytes == NULL)
        return SUM_F32_NULL_POINTER;
    if (!ask_device(&sms, &hopper))
        return SUM_F32_NO_DEVICE;
    *bytes = SLOT_BYTES(MOST_BLOCKS_PER_SM * sms);
    return SUM_F32_OK;
}

extern "C" enum sum_f32_status sum_f32(const float *in, size_t n, float *out,
                                       const struct sum_f32_workspace *workspace,
                                       cudaStream_t stream)
{
    unsigned sms;
    bool hopper;
    if (!ask_device(&sms, &hopper))
        return SUM_F32_NO_DEVICE;
    struct sum_f32_plan plan = sum_f32_plan(n, sms, hopper);
    return sum_f32_by(&plan, hopper, in, n, out, workspace, stream);
}

extern "C" const char *sum_f32_message(enum sum_f32_status status)
{
    switch (status) {
    case SUM_F32_OK:
        return "all right";
    case SUM_F32_NULL_POINTER:
        return "a pointer is NULL: in, out, the workspace or its memory";
    case SUM_F32_MISALIGNED:
        return "in and out must be multiples of 4, the workspace's memory a multiple of 8";
    case SUM_F32_SMALL_WORKSPACE:
        return "the workspace is too small: sum_f32_workspace_bytes() says how large it must be";
    case SUM_F32_NO_DEVICE:
        return "no GPU that CUDA can use, or one that this library has no code for";
    case SUM_F32_LAUNCH_FAILED:
        return "CUDA refused the launch: cudaPeekAtLastError() says why";
    }
    return "no such status";
}
