/* launch.h: how the library launches a kernel by its plan, and how much memory that needs. */
#ifndef LAUNCH_H
#define LAUNCH_H

#include "parts/slots.h"
#include "sum_f32_plan.h"

/* One workspace is enough for all sums: the epoch, and slots for the largest grid. */
static inline size_t bytes_of_workspace(unsigned sms)
{
    return SLOT_BYTES(MOST_BLOCKS_PER_SM * sms);
}

/* Chevrons have no room for attributes: this is what they stand for. `cluster` blocks are one;
   `shared`: bytes of dynamic shared memory. */
template <typename... Args>
static cudaError_t launch_grid(unsigned blocks, unsigned threads, unsigned shared, unsigned cluster,
                               bool overlap, cudaStream_t stream, void (*kernel)(Args...),
                               Args... args)
{
    cudaLaunchAttribute attributes[2] = {};
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(threads);
    config.dynamicSmemBytes = shared;
    config.stream = stream;
    config.attrs = attributes;
    if (cluster > 1) {
        attributes[config.numAttrs].id = cudaLaunchAttributeClusterDimension;
        attributes[config.numAttrs].val.clusterDim.x = cluster;
        attributes[config.numAttrs].val.clusterDim.y = 1;
        attributes[config.numAttrs++].val.clusterDim.z = 1;
    }
    if (overlap) {
        attributes[config.numAttrs].id = cudaLaunchAttributeProgrammaticStreamSerialization;
        attributes[config.numAttrs++].val.programmaticStreamSerializationAllowed = 1;
    }
    return cudaLaunchKernelEx(&config, kernel, args...);
}

template <typename... Args>
static enum sum_f32_status launch(const struct sum_f32_plan *plan, bool overlap,
                                  cudaStream_t stream, void (*kernel)(Args...), Args... args)
{
    cudaError_t error =
        launch_grid(plan->blocks, plan->threads, 0, plan->kind == ONE_CLUSTER ? plan->blocks : 1,
                    overlap, stream, kernel, args...);
    if (error == cudaErrorNoKernelImageForDevice)
        return SUM_F32_NO_DEVICE;
    return error == cudaSuccess ? SUM_F32_OK : SUM_F32_LAUNCH_FAILED;
}

#endif
