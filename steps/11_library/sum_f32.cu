/*
 * Step 11: the function that one would ship.
 *
 * New:     nothing in the kernels (kernels.h) but one thing: each may begin while the kernel before
 *          it in the stream still runs (programmatic dependent launch), ask the L2 cache for its
 *          first tile, and only then wait. The rest is choosing: one block, one cluster, or many.
 * Why:     below a few million floats a sum is mostly launching and waiting for the first bytes.
 * Look at: ./step11, and against CUB at every size, on a GPU: make compare (simulator: which plan
 *          is chosen, by its block and grid: ./step11 -n 1K,16K,64K,1M --sms 132)
 */
#include "kernels.h"
#include "sum_f32.h"
#include "sum_f32_plan.h"

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
    struct slots slots = slots_in(w->memory, (unsigned)(w->bytes / sizeof(word) - 1));
    return launch(plan, overlap, stream, plan->loads == 8 ? many_blocks<8> : many_blocks<16>, in, n,
                  out, slots);
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
