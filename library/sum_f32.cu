/*
 * sum_f32.cu: what sum_f32.h and sum_types.h declare. Each function checks its arguments, asks
 * sum_f32_plan.c for one block, one cluster or many, and launches that kernel of kernels.h.
 */
#include "kernels.h"
#include "launch.h"
#include "sum_f32_plan.h"
#include "sum_types.h"

/* What the plan depends on. Clusters and the overlap are there only if the code is: code for an
   older GPU, which the driver compiled for this one, has neither. So ask the code, not the GPU;
   once for each GPU, for that takes long. Threads that ask at the same time find the same. */
extern "C" enum sum_f32_status sum_f32_device(unsigned *sms, bool *hopper)
{
    enum { UNKNOWN, OLDER, HOPPER, MOST_DEVICES = 64 };
    static unsigned char code[MOST_DEVICES]; /* several threads may ask: __atomic */
    int device, count;
    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device) != cudaSuccess)
        return SUM_F32_NO_DEVICE;
    unsigned char known = UNKNOWN;
    if (device < MOST_DEVICES)
        known = __atomic_load_n(&code[device], __ATOMIC_RELAXED);
    if (known == UNKNOWN) {
        cudaFuncAttributes attributes;
        if (cudaFuncGetAttributes(&attributes, one_cluster<float>) != cudaSuccess)
            return SUM_F32_NO_DEVICE;
        /* The simulator has no code for a GPU to ask, and can do what Hopper does. */
        known = ON_SIMULATOR || attributes.ptxVersion >= 90 ? HOPPER : OLDER;
        if (device < MOST_DEVICES)
            __atomic_store_n(&code[device], known, __ATOMIC_RELAXED);
    }
    *sms = (unsigned)count;
    *hopper = known == HOPPER;
    return SUM_F32_OK;
}

template <typename T>
static enum sum_f32_status check(const struct sum_f32_plan *plan, const T *in, size_t n,
                                 const void *out, const struct sum_f32_workspace *w)
{
    if (out == NULL || (in == NULL && n > 0) || w == NULL || w->memory == NULL)
        return SUM_F32_NULL_POINTER;
    if ((uintptr_t)in % sizeof(T) || (uintptr_t)out % sizeof(sum_of<T>) ||
        (uintptr_t)w->memory % sizeof(word))
        return SUM_F32_MISALIGNED;
    unsigned slots = plan->kind == MANY_BLOCKS ? plan->blocks * SLOT_WORDS(sum_of<T>) : 0;
    return w->bytes < SLOT_BYTES(slots) ? SUM_F32_SMALL_WORKSPACE : SUM_F32_OK;
}

template <typename T>
static enum sum_f32_status sum_by(const struct sum_f32_plan *plan, bool overlap, const T *in,
                                  size_t n, sum_of<T> *out, const struct sum_f32_workspace *w,
                                  cudaStream_t stream)
{
    enum sum_f32_status status = check(plan, in, n, out, w);
    if (status != SUM_F32_OK)
        return status;
    if (plan->kind == ONE_CLUSTER)
        return launch(plan, overlap, stream, one_cluster<T>, in, (unsigned)n, out);
    if (plan->kind == ONE_BLOCK)
        return launch(plan, overlap, stream, plan->loads == 4 ? one_block<4, T> : one_block<8, T>,
                      in, (unsigned)n, out);
    struct slots slots = slots_in(w->memory, (unsigned)(w->bytes / sizeof(word) - 1));
    return launch(plan, overlap, stream, plan->loads == 8 ? many_blocks<8, T> : many_blocks<16, T>,
                  in, n, out, slots);
}

template <typename T>
static enum sum_f32_status sum(const T *in, size_t n, sum_of<T> *out,
                               const struct sum_f32_workspace *workspace, cudaStream_t stream)
{
    unsigned sms;
    bool hopper;
    enum sum_f32_status status = sum_f32_device(&sms, &hopper);
    if (status != SUM_F32_OK)
        return status;
    struct sum_f32_plan plan = sum_types_plan(n, sizeof(T), SLOT_WORDS(sum_of<T>), sms, hopper);
    return sum_by(&plan, hopper, in, n, out, workspace, stream);
}

/* ---- what sum_f32.h, sum_types.h and sum_f32_plan.h declare ---- */

extern "C" enum sum_f32_status sum_f32_workspace_bytes(size_t *bytes)
{
    unsigned sms;
    bool hopper;
    if (bytes == NULL)
        return SUM_F32_NULL_POINTER;
    enum sum_f32_status status = sum_f32_device(&sms, &hopper);
    if (status == SUM_F32_OK)
        *bytes = bytes_of_workspace(sms);
    return status;
}

extern "C" enum sum_f32_status sum_f32_by(const struct sum_f32_plan *plan, bool overlap,
                                          const float *in, size_t n, float *out,
                                          const struct sum_f32_workspace *workspace,
                                          cudaStream_t stream)
{
    return sum_by(plan, overlap, in, n, out, workspace, stream);
}

extern "C" enum sum_f32_status sum_f32(const float *in, size_t n, float *out,
                                       const struct sum_f32_workspace *workspace,
                                       cudaStream_t stream)
{
    return sum(in, n, out, workspace, stream);
}

extern "C" enum sum_f32_status sum_f16(const void *in, size_t n, float *out,
                                       const struct sum_f32_workspace *workspace,
                                       cudaStream_t stream)
{
    return sum((const __half *)in, n, out, workspace, stream);
}

extern "C" enum sum_f32_status sum_bf16(const void *in, size_t n, float *out,
                                        const struct sum_f32_workspace *workspace,
                                        cudaStream_t stream)
{
    return sum((const __nv_bfloat16 *)in, n, out, workspace, stream);
}

extern "C" enum sum_f32_status sum_f64(const double *in, size_t n, double *out,
                                       const struct sum_f32_workspace *workspace,
                                       cudaStream_t stream)
{
    return sum(in, n, out, workspace, stream);
}

extern "C" enum sum_f32_status sum_i32(const int32_t *in, size_t n, int64_t *out,
                                       const struct sum_f32_workspace *workspace,
                                       cudaStream_t stream)
{
    return sum(in, n, (long long *)out, workspace, stream);
}

extern "C" const char *sum_f32_message(enum sum_f32_status status)
{
    switch (status) {
    case SUM_F32_OK:
        return "all right";
    case SUM_F32_NULL_POINTER:
        return "a pointer is NULL: in, out, the workspace or its memory";
    case SUM_F32_MISALIGNED:
        return "in must be a multiple of its element's size, out of its sum's, the workspace's "
               "memory of 8";
    case SUM_F32_SMALL_WORKSPACE:
        return "the workspace is too small: sum_f32_workspace_bytes() says how large it must be";
    case SUM_F32_NO_DEVICE:
        return "no GPU that CUDA can use, or one that this library has no code for";
    case SUM_F32_LAUNCH_FAILED:
        return "CUDA refused the launch: cudaPeekAtLastError() says why";
    case SUM_F32_BAD_ARGUMENT:
        return "a number of GPUs from 1 on is needed, a way that there is, and a time limit above "
               "0 and up to 10^6 seconds; an exact sum takes 2^29 floats for each SM, and 2^35";
    case SUM_F32_CUDA_FAILED:
        return "CUDA refused, perhaps for want of memory: cudaPeekAtLastError() may say why";
    case SUM_F32_NCCL_FAILED:
        return "NCCL refused or failed: ncclGetLastError(NULL) says why, and so does "
               "NCCL_DEBUG=WARN";
    case SUM_F32_LOST_PEER:
        return "another GPU, or its process, did not come to the sum within the time limit";
    }
    return "no such status";
}
