/* launch.h: how the library launches a kernel by its plan, and how much memory that needs. */
#ifndef LAUNCH_H
#define LAUNCH_H

#include "09_single_pass/slots.h"
#include "sum_f32_plan.h"

/* One workspace is enough for all sums: the epoch, and slots for the largest grid. */
static inline size_t bytes_of_workspace(unsigned sms)
{
    return SLOT_BYTES(MOST_BLOCKS_PER_SM * sms);
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

#endif
