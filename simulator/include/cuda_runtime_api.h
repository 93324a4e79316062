/* cuda_runtime_api.h: the CUDA runtime for C and C++, as far as the simulator has it. Names,
   numbers and meanings are those of CUDA 13 (docs.nvidia.com/cuda/cuda-runtime-api). */
#pragma once

#define SIMT_SIMULATOR 1
#define CUDART_VERSION 13000
#define CUDA_VERSION   13000
/* Asked for by helper headers, as those of CUDA's samples: were its headers included? */
#define __DRIVER_TYPES_H__
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__

#include "host_defines.h"
#include "vector_types.h"
#include <limits.h>
#include <stddef.h>

#pragma GCC system_header /* no warnings about arguments that are not used */

#ifdef __cplusplus
#define SIMT_OR(VALUE) = VALUE /* a default argument, which C has not */
extern "C" {
#else
#define SIMT_OR(VALUE)
#endif

#define SIMT_ERRORS(X)                                                                             \
    X(InvalidValue, 1, "invalid argument")                                                         \
    X(MemoryAllocation, 2, "out of memory")                                                        \
    X(InitializationError, 3, "initialization error")                                              \
    X(CudartUnloading, 4, "driver shutting down")                                                  \
    X(InvalidConfiguration, 9, "invalid configuration argument")                                   \
    X(InvalidPitchValue, 12, "invalid pitch argument")                                             \
    X(InvalidSymbol, 13, "invalid device symbol")                                                  \
    X(InvalidDevicePointer, 17, "invalid device pointer")                                          \
    X(InvalidMemcpyDirection, 21, "invalid copy direction for memcpy")                             \
    X(InvalidChannelDescriptor, 20, "invalid channel descriptor")                                  \
    X(InvalidFilterSetting, 26, "linear filtering not supported for non-float type")               \
    X(InvalidNormSetting, 27, "read as normalized float not supported for 32-bit non float type")  \
    X(InsufficientDriver, 35, "CUDA driver version is insufficient for CUDA runtime version")      \
    X(InvalidDeviceFunction, 98, "invalid device function")                                        \
    X(NoDevice, 100, "no CUDA-capable device is detected")                                         \
    X(InvalidDevice, 101, "invalid device ordinal")                                                \
    X(NoKernelImageForDevice, 209, "no kernel image is available for execution on the device")     \
    X(UnsupportedLimit, 215, "limit is not supported on this architecture")                        \
    X(PeerAccessUnsupported, 217, "peer access is not supported between these two devices")        \
    X(InvalidResourceHandle, 400, "invalid resource handle")                                       \
    X(NotReady, 600, "device not ready")                                                           \
    X(IllegalAddress, 700, "an illegal memory access was encountered")                             \
    X(LaunchOutOfResources, 701, "too many resources requested for launch")                        \
    X(LaunchTimeout, 702, "the launch timed out and was terminated")                               \
    X(PeerAccessAlreadyEnabled, 704, "peer access is already enabled")                             \
    X(PeerAccessNotEnabled, 705, "peer access has not been enabled")                               \
    X(Assert, 710, "device-side assert triggered")                                                 \
    X(HostMemoryAlreadyRegistered, 712,                                                            \
      "part or all of the requested memory range is already mapped")                               \
    X(HostMemoryNotRegistered, 713, "pointer does not correspond to a registered memory region")   \
    X(MisalignedAddress, 716, "misaligned address")                                                \
    X(LaunchFailure, 719, "unspecified launch failure")                                            \
    X(CooperativeLaunchTooLarge, 720, "too many blocks in cooperative launch")                     \
    X(NotSupported, 801, "operation not supported")                                                \
    X(StreamCaptureUnsupported, 900, "operation not permitted when stream is capturing")           \
    X(StreamCaptureUnmatched, 903,                                                                 \
      "the operation would result in the capture ending without having begun")                     \
    X(StreamCaptureUnjoined, 904, "capturing stream has unjoined work")                            \
    X(GraphExecUpdateFailure, 910,                                                                 \
      "the graph update was not performed because it would change the graph itself")               \
    X(InvalidClusterSize, 912,                                                                     \
      "a kernel launch error has occurred due to cluster misconfiguration")                        \
    X(Unknown, 999, "unknown error")
#define SIMT_ENUMERATOR(NAME, NUMBER, TEXT) cudaError##NAME = NUMBER,
typedef enum cudaError { cudaSuccess, SIMT_ERRORS(SIMT_ENUMERATOR) } cudaError_t;

/* CUDA's enumerations are lists of names. */
#define SIMT_ENUM(NAME, ...) enum NAME { __VA_ARGS__ };

SIMT_ENUM(cudaMemcpyKind, cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost,
          cudaMemcpyDeviceToDevice, cudaMemcpyDefault)

/* What CUDA 13 has no more, members of cudaDeviceProp and functions, brings a warning. */
#define SIMT_GONE_FOR(INSTEAD) __attribute__((deprecated("CUDA 13 removed this " INSTEAD)))
#define SIMT_GONE              SIMT_GONE_FOR("member: ask cudaDeviceGetAttribute()") int

/* CUDA's number, the member of cudaDeviceProp (maxBlockDimX and its kin are ours), and what it
   is here: 0 for clocks, caches and buses, which it has not. */
#define SIMT_ATTRIBUTES(X)                                                                         \
    X(MaxThreadsPerBlock, 1, int, maxThreadsPerBlock, MAX_BLOCK)                                   \
    X(MaxBlockDimX, 2, int, maxBlockDimX, 1024)                                                    \
    X(MaxBlockDimY, 3, int, maxBlockDimY, 1024)                                                    \
    X(MaxBlockDimZ, 4, int, maxBlockDimZ, 64)                                                      \
    X(MaxGridDimX, 5, int, maxGridDimX, 0x7fffffff)                                                \
    X(MaxGridDimY, 6, int, maxGridDimY, 65535)                                                     \
    X(MaxGridDimZ, 7, int, maxGridDimZ, 65535)                                                     \
    X(MaxSharedMemoryPerBlock, 8, size_t, sharedMemPerBlock, 48 * 1024)                            \
    X(TotalConstantMemory, 9, size_t, totalConstMem, 65536)                                        \
    X(WarpSize, 10, int, warpSize, WARP)                                                           \
    X(MaxRegistersPerBlock, 12, int, regsPerBlock, 65536)                                          \
    X(ClockRate, 13, SIMT_GONE, clockRate, 0)                                                      \
    X(MultiProcessorCount, 16, int, multiProcessorCount, simt_sms)                                 \
    X(Integrated, 18, int, integrated, 0)                                                          \
    X(ComputeMode, 20, SIMT_GONE, computeMode, cudaComputeModeDefault)                             \
    X(ConcurrentKernels, 31, int, concurrentKernels, 0)                                            \
    X(MemoryClockRate, 36, SIMT_GONE, memoryClockRate, 0)                                          \
    X(GlobalMemoryBusWidth, 37, int, memoryBusWidth, 0)                                            \
    X(L2CacheSize, 38, int, l2CacheSize, 0)                                                        \
    X(MaxThreadsPerMultiProcessor, 39, int, maxThreadsPerMultiProcessor, SM_THREADS)               \
    X(UnifiedAddressing, 41, int, unifiedAddressing, 1)                                            \
    X(ComputeCapabilityMajor, 75, int, major, 9)                                                   \
    X(ComputeCapabilityMinor, 76, int, minor, 0)                                                   \
    X(MaxSharedMemoryPerMultiprocessor, 81, size_t, sharedMemPerMultiprocessor,                    \
      simt_block_shared + SYSTEM_SHARED)                                                           \
    X(MaxRegistersPerMultiprocessor, 82, int, regsPerMultiprocessor, 65536)                        \
    X(ManagedMemory, 83, int, managedMemory, 1)                                                    \
    X(ConcurrentManagedAccess, 89, int, concurrentManagedAccess, 1)                                \
    X(CooperativeLaunch, 95, int, cooperativeLaunch, 1)                                            \
    X(MaxSharedMemoryPerBlockOptin, 97, size_t, sharedMemPerBlockOptin, simt_block_shared)         \
    X(MaxBlocksPerMultiprocessor, 106, int, maxBlocksPerMultiProcessor, SM_BLOCKS)                 \
    X(MaxPitch, 11, size_t, memPitch, 0x7fffffff)                                                  \
    X(TextureAlignment, 14, size_t, textureAlignment, 512)                                         \
    X(GpuOverlap, 15, SIMT_GONE, deviceOverlap, 0)                                                 \
    X(KernelExecTimeout, 17, SIMT_GONE, kernelExecTimeoutEnabled, 0)                               \
    X(CanMapHostMemory, 19, int, canMapHostMemory, 1)                                              \
    X(SurfaceAlignment, 30, size_t, surfaceAlignment, 512)                                         \
    X(EccEnabled, 32, int, ECCEnabled, 0)                                                          \
    X(PciBusId, 33, int, pciBusID, device)                                                         \
    X(PciDeviceId, 34, int, pciDeviceID, 0)                                                        \
    X(TccDriver, 35, int, tccDriver, 0)                                                            \
    X(AsyncEngineCount, 40, int, asyncEngineCount, 0)                                              \
    X(PciDomainId, 50, int, pciDomainID, 0)                                                        \
    X(TexturePitchAlignment, 51, size_t, texturePitchAlignment, 32)                                \
    X(StreamPrioritiesSupported, 78, int, streamPrioritiesSupported, 1)                            \
    X(GlobalL1CacheSupported, 79, int, globalL1CacheSupported, 0)                                  \
    X(LocalL1CacheSupported, 80, int, localL1CacheSupported, 0)                                    \
    X(IsMultiGpuBoard, 84, int, isMultiGpuBoard, 0)                                                \
    X(MultiGpuBoardGroupID, 85, int, multiGpuBoardGroupID, 0)                                      \
    X(HostNativeAtomicSupported, 86, int, hostNativeAtomicSupported, 0)                            \
    X(SingleToDoublePrecisionPerfRatio, 87, SIMT_GONE, singleToDoublePrecisionPerfRatio, 0)        \
    X(PageableMemoryAccess, 88, int, pageableMemoryAccess, 0)                                      \
    X(ComputePreemptionSupported, 90, int, computePreemptionSupported, 0)                          \
    X(CanUseHostPointerForRegisteredMem, 91, int, canUseHostPointerForRegisteredMem, 1)            \
    X(HostRegisterSupported, 99, int, hostRegisterSupported, 1)                                    \
    X(PageableMemoryAccessUsesHostPageTables, 100, int, pageableMemoryAccessUsesHostPageTables, 0) \
    X(DirectManagedMemAccessFromHost, 101, int, directManagedMemAccessFromHost, 0)                 \
    X(MaxPersistingL2CacheSize, 108, int, persistingL2CacheMaxSize, 0)                             \
    X(MaxAccessPolicyWindowSize, 109, int, accessPolicyMaxWindowSize, 0)                           \
    X(ReservedSharedMemoryPerBlock, 111, size_t, reservedSharedMemPerBlock, SYSTEM_SHARED)         \
    X(MemoryPoolsSupported, 115, int, memoryPoolsSupported, 1)                                     \
    X(HostRegisterReadOnlySupported, 113, int, hostRegisterReadOnlySupported, 0)                   \
    X(SparseCudaArraySupported, 112, int, sparseCudaArraySupported, 0)                             \
    X(GPUDirectRDMASupported, 116, int, gpuDirectRDMASupported, 0)                                 \
    X(IpcEventSupport, 125, int, ipcEventSupported, 0)                                             \
    X(ClusterLaunch, 120, int, clusterLaunch, 1)

/* The largest textures and surfaces of compute capability 9.0, as the CUDA C++ Programming Guide
   lists them: the member, its elements, their attributes. */
#define SIMT_SIZES_2(X, NAME, N, A, SIZE_A, B, SIZE_B)                                             \
    X(Max##NAME##A, N, max##NAME, 0, SIZE_A)                                                       \
    X(Max##NAME##B, N + 1, max##NAME, 1, SIZE_B)
#define SIMT_SIZES_3(X, NAME, N, A, SIZE_A, B, SIZE_B, C, SIZE_C)                                  \
    SIMT_SIZES_2(X, NAME, N, A, SIZE_A, B, SIZE_B)                                                 \
    X(Max##NAME##C, N + 2, max##NAME, 2, SIZE_C)
#define SIMT_TEXTURE_SIZES(X)                                                                      \
    X(MaxTexture1DWidth, 21, maxTexture1D, 0, 131072)                                              \
    SIMT_SIZES_2(X, Texture2D, 22, Width, 131072, Height, 65536)                                   \
    SIMT_SIZES_3(X, Texture3D, 24, Width, 16384, Height, 16384, Depth, 16384)                      \
    SIMT_SIZES_3(X, Texture2DLayered, 27, Width, 32768, Height, 32768, Layers, 2048)               \
    SIMT_SIZES_2(X, Texture1DLayered, 42, Width, 32768, Layers, 2048)                              \
    SIMT_SIZES_2(X, Texture2DGather, 45, Width, 32768, Height, 32768)                              \
    X(MaxTexture3DWidthAlt, 47, maxTexture3DAlt, 0, 8192)                                          \
    X(MaxTexture3DHeightAlt, 48, maxTexture3DAlt, 1, 8192)                                         \
    X(MaxTexture3DDepthAlt, 49, maxTexture3DAlt, 2, 32768)                                         \
    X(MaxTextureCubemapWidth, 52, maxTextureCubemap, 0, 32768)                                     \
    SIMT_SIZES_2(X, TextureCubemapLayered, 53, Width, 32768, Layers, 2046)                         \
    X(MaxSurface1DWidth, 55, maxSurface1D, 0, 32768)                                               \
    SIMT_SIZES_2(X, Surface2D, 56, Width, 131072, Height, 65536)                                   \
    SIMT_SIZES_3(X, Surface3D, 58, Width, 16384, Height, 16384, Depth, 16384)                      \
    SIMT_SIZES_2(X, Surface1DLayered, 61, Width, 32768, Layers, 2048)                              \
    SIMT_SIZES_3(X, Surface2DLayered, 63, Width, 32768, Height, 32768, Layers, 2048)               \
    X(MaxSurfaceCubemapWidth, 66, maxSurfaceCubemap, 0, 32768)                                     \
    SIMT_SIZES_2(X, SurfaceCubemapLayered, 67, Width, 32768, Layers, 2046)                         \
    X(MaxTexture1DLinearWidth, 69, maxTexture1DLinear, 0, 268435456)                               \
    SIMT_SIZES_3(X, Texture2DLinear, 70, Width, 131072, Height, 65000, Pitch, 2097120)             \
    SIMT_SIZES_2(X, Texture2DMipmap, 73, pedWidth, 32768, pedHeight, 32768)                        \
    X(MaxTexture1DMipmappedWidth, 77, maxTexture1DMipmap, 0, 32768)
#define SIMT_ATTRIBUTE(NAME, NUMBER, ...) cudaDevAttr##NAME = NUMBER,
enum cudaDeviceAttr { SIMT_ATTRIBUTES(SIMT_ATTRIBUTE) SIMT_TEXTURE_SIZES(SIMT_ATTRIBUTE) };

typedef struct CUuuid_st {
    char bytes[16];
} CUuuid, cudaUUID_t;
#define cudaOccupancyDefault                0
#define cudaOccupancyDisableCachingOverride 1
struct cudaDeviceProp {
    char name[256];
#define SIMT_MEMBER(NAME, NUMBER, TYPE, MEMBER, VALUE) TYPE MEMBER;
    SIMT_ATTRIBUTES(SIMT_MEMBER)
    size_t totalGlobalMem;
    int maxThreadsDim[3], maxGridSize[3];
    int maxTexture1D, maxTexture1DMipmap, maxTexture2D[2], maxTexture2DMipmap[2];
    int maxTexture2DLinear[3], maxTexture2DGather[2], maxTexture3D[3], maxTexture3DAlt[3];
    int maxTextureCubemap, maxTexture1DLayered[2], maxTexture2DLayered[3];
    int maxTextureCubemapLayered[2], maxSurface1D, maxSurface2D[2], maxSurface3D[3];
    int maxSurface1DLayered[2], maxSurface2DLayered[3], maxSurfaceCubemap;
    int maxSurfaceCubemapLayered[2];
    SIMT_GONE maxTexture1DLinear;
    SIMT_GONE cooperativeMultiDeviceLaunch;
    char luid[8];
    unsigned luidDeviceNodeMask;
    CUuuid uuid;
};

SIMT_ENUM(cudaDeviceP2PAttr, cudaDevP2PAttrPerformanceRank = 1, cudaDevP2PAttrAccessSupported,
          cudaDevP2PAttrNativeAtomicSupported, cudaDevP2PAttrCudaArrayAccessSupported)
SIMT_ENUM(cudaComputeMode, cudaComputeModeDefault, cudaComputeModeExclusive,
          cudaComputeModeProhibited, cudaComputeModeExclusiveProcess)
SIMT_ENUM(cudaFuncAttribute, cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
          cudaFuncAttributePreferredSharedMemoryCarveout,
          cudaFuncAttributeNonPortableClusterSizeAllowed = 14,
          cudaFuncAttributeClusterSchedulingPolicyPreference)
SIMT_ENUM(cudaLimit, cudaLimitStackSize, cudaLimitPrintfFifoSize, cudaLimitMallocHeapSize,
          cudaLimitDevRuntimeSyncDepth, cudaLimitDevRuntimePendingLaunchCount,
          cudaLimitMaxL2FetchGranularity, cudaLimitPersistingL2CacheSize)
SIMT_ENUM(cudaFuncCache, cudaFuncCachePreferNone, cudaFuncCachePreferShared, cudaFuncCachePreferL1,
          cudaFuncCachePreferEqual)
SIMT_ENUM(cudaSharedCarveout, cudaSharedmemCarveoutDefault = -1, cudaSharedmemCarveoutMaxL1,
          cudaSharedmemCarveoutMaxShared = 100)
struct cudaFuncAttributes {
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, maxDynamicSharedSizeBytes;
    int cacheModeCA, preferredShmemCarveout, clusterDimMustBeSet, requiredClusterWidth;
    int requiredClusterHeight, requiredClusterDepth, clusterSchedulingPolicyPreference;
    int nonPortableClusterSizeAllowed;
};

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;
typedef struct CUgraphNode_st *cudaGraphNode_t;

/* What is to stay in the L2 cache: there is none here. */
SIMT_ENUM(cudaAccessProperty, cudaAccessPropertyNormal, cudaAccessPropertyStreaming,
          cudaAccessPropertyPersisting)
struct cudaAccessPolicyWindow {
    void *base_ptr;
    size_t num_bytes;
    float hitRatio;
    enum cudaAccessProperty hitProp, missProp;
};
SIMT_ENUM(cudaSynchronizationPolicy, cudaSyncPolicyAuto = 1, cudaSyncPolicySpin,
          cudaSyncPolicyYield, cudaSyncPolicyBlockingSync)

/* Of these, ClusterDimension and Cooperative mean something here. */
SIMT_ENUM(cudaLaunchAttributeID, cudaLaunchAttributeIgnore, cudaLaunchAttributeAccessPolicyWindow,
          cudaLaunchAttributeCooperative, cudaLaunchAttributeSynchronizationPolicy,
          cudaLaunchAttributeClusterDimension, cudaLaunchAttributeClusterSchedulingPolicyPreference,
          cudaLaunchAttributeProgrammaticStreamSerialization, cudaLaunchAttributeProgrammaticEvent,
          cudaLaunchAttributePriority, cudaLaunchAttributePreferredSharedMemoryCarveout = 14)
typedef enum cudaLaunchAttributeID cudaLaunchAttributeID;
typedef union cudaLaunchAttributeValue {
    char pad[64];
    int cooperative, programmaticStreamSerializationAllowed, priority;
    int clusterSchedulingPolicyPreference;
    unsigned sharedMemCarveout;
    struct cudaAccessPolicyWindow accessPolicyWindow;
    enum cudaSynchronizationPolicy syncPolicy;
    struct {
        unsigned x, y, z;
    } clusterDim;
    struct {
        cudaEvent_t event;
        int flags, triggerAtBlockStart;
    } programmaticEvent;
} cudaLaunchAttributeValue;
typedef cudaLaunchAttributeID cudaStreamAttrID, cudaKernelNodeAttrID;
typedef cudaLaunchAttributeValue cudaStreamAttrValue, cudaKernelNodeAttrValue;
#define cudaStreamAttributeAccessPolicyWindow     cudaLaunchAttributeAccessPolicyWindow
#define cudaStreamAttributeSynchronizationPolicy  cudaLaunchAttributeSynchronizationPolicy
#define cudaStreamAttributePriority               cudaLaunchAttributePriority
#define cudaKernelNodeAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow
typedef struct cudaLaunchAttribute_st {
    cudaLaunchAttributeID id;
    cudaLaunchAttributeValue val;
} cudaLaunchAttribute;
typedef struct cudaLaunchConfig_st {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute *attrs;
    unsigned numAttrs;
} cudaLaunchConfig_t;

typedef struct CUmemPoolHandle_st *cudaMemPool_t;
SIMT_ENUM(cudaMemPoolAttr, cudaMemPoolReuseFollowEventDependencies = 1,
          cudaMemPoolReuseAllowOpportunistic, cudaMemPoolReuseAllowInternalDependencies,
          cudaMemPoolAttrReleaseThreshold, cudaMemPoolAttrReservedMemCurrent,
          cudaMemPoolAttrReservedMemHigh, cudaMemPoolAttrUsedMemCurrent, cudaMemPoolAttrUsedMemHigh)
SIMT_ENUM(cudaMemoryType, cudaMemoryTypeUnregistered, cudaMemoryTypeHost, cudaMemoryTypeDevice,
          cudaMemoryTypeManaged)
struct cudaPointerAttributes {
    enum cudaMemoryType type;
    int device;
    void *devicePointer, *hostPointer;
};
SIMT_ENUM(cudaMemoryAdvise, cudaMemAdviseSetReadMostly = 1, cudaMemAdviseUnsetReadMostly,
          cudaMemAdviseSetPreferredLocation, cudaMemAdviseUnsetPreferredLocation,
          cudaMemAdviseSetAccessedBy, cudaMemAdviseUnsetAccessedBy)
SIMT_ENUM(cudaMemLocationType, cudaMemLocationTypeInvalid, cudaMemLocationTypeDevice,
          cudaMemLocationTypeHost, cudaMemLocationTypeHostNuma, cudaMemLocationTypeHostNumaCurrent)
struct cudaMemLocation {
    enum cudaMemLocationType type;
    int id;
};
SIMT_ENUM(cudaMemcpySrcAccessOrder, cudaMemcpySrcAccessOrderInvalid, cudaMemcpySrcAccessOrderStream,
          cudaMemcpySrcAccessOrderDuringApiCall, cudaMemcpySrcAccessOrderAny)
enum cudaMemcpyFlags { cudaMemcpyFlagDefault, cudaMemcpyFlagPreferOverlapWithCompute };
struct cudaMemcpyAttributes {
    enum cudaMemcpySrcAccessOrder srcAccessOrder;
    struct cudaMemLocation srcLocHint, dstLocHint;
    unsigned flags;
};
SIMT_ENUM(cudaMemAccessFlags, cudaMemAccessFlagsProtNone, cudaMemAccessFlagsProtRead,
          cudaMemAccessFlagsProtReadWrite = 3)
struct cudaMemAccessDesc {
    struct cudaMemLocation location;
    enum cudaMemAccessFlags flags;
};
SIMT_ENUM(cudaMemAllocationType, cudaMemAllocationTypeInvalid, cudaMemAllocationTypePinned,
          cudaMemAllocationTypeManaged)
enum cudaMemAllocationHandleType {
    cudaMemHandleTypeNone,
    cudaMemHandleTypePosixFileDescriptor,
};
struct cudaMemPoolProps {
    enum cudaMemAllocationType allocType;
    enum cudaMemAllocationHandleType handleTypes;
    struct cudaMemLocation location;
    void *win32SecurityAttributes;
    size_t maxSize;
    unsigned short usage;
    unsigned char reserved[54];
};
SIMT_ENUM(cudaSharedMemConfig, cudaSharedMemBankSizeDefault, cudaSharedMemBankSizeFourByte,
          cudaSharedMemBankSizeEightByte)
SIMT_ENUM(cudaStreamCaptureStatus, cudaStreamCaptureStatusNone, cudaStreamCaptureStatusActive,
          cudaStreamCaptureStatusInvalidated)
#define CUDART_CB
typedef void (*cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void *data);
typedef void (*cudaHostFn_t)(void *data);
SIMT_ENUM(cudaStreamCaptureMode, cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal,
          cudaStreamCaptureModeRelaxed)
#define cudaStreamLegacy               ((cudaStream_t)0x1)
#define cudaStreamPerThread            ((cudaStream_t)0x2)
#define cudaStreamTailLaunch           ((cudaStream_t)0x3)
#define cudaStreamFireAndForget        ((cudaStream_t)0x4)
#define cudaStreamDefault              0u
#define cudaStreamNonBlocking          1u
#define cudaEventDefault               0u
#define cudaEventBlockingSync          1u
#define cudaEventDisableTiming         2u
#define cudaHostAllocDefault           0u
#define cudaHostAllocPortable          1u
#define cudaHostAllocMapped            2u
#define cudaHostRegisterIoMemory       4u
#define cudaDeviceMapHost              8u
#define cudaDeviceLmemResizeToMax      16u
#define cudaDeviceScheduleMask         7u
#define cudaDeviceMask                 0xffu
#define cudaEventInterprocess          4u
#define cudaEventRecordDefault         0u
#define cudaEventRecordExternal        1u
#define cudaEventWaitDefault           0u
#define cudaEventWaitExternal          1u
#define cudaHostAllocWriteCombined     4u
#define cudaHostRegisterDefault        0u
#define cudaHostRegisterPortable       1u
#define cudaHostRegisterMapped         2u
#define cudaHostRegisterReadOnly       8u
#define cudaDeviceScheduleAuto         0u
#define cudaDeviceScheduleSpin         1u
#define cudaDeviceScheduleYield        2u
#define cudaDeviceScheduleBlockingSync 4u
#define cudaDeviceBlockingSync         4u
#define cudaMemAttachGlobal            1u
#define cudaMemAttachHost              2u
#define cudaCpuDeviceId                (-1)
#define cudaInvalidDeviceId            (-2)

/* Keeps an error for cudaGetLastError(), and returns it; why: what CUDA's own words leave open. */
cudaError_t simt_error(cudaError_t error);
#define SIMT_REFUSE_IF(WHAT, ERROR)                                                                \
    if (WHAT)                                                                                      \
    return simt_error(ERROR)
cudaError_t simt_error_because(cudaError_t error, const char *why);
const char *simt_error_reason(void); /* of the last one, or NULL */
extern void (*simt_error_asked)(void);
/* The result of a call that the program does not look at, of a launch by <<< >>> or another. */
void simt_unasked_launch(cudaError_t error);
void simt_unasked(cudaError_t error);
cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char *cudaGetErrorName(cudaError_t error);
const char *cudaGetErrorString(cudaError_t error);

#define SIMT_GIVE(TO, VALUE) (*(TO) = (VALUE), cudaSuccess)

/* One device, number 0: a made-up GPU of 4 SMs and 16 GiB, see ../api.c. Or several of them, each
   the peer of all others: see ../devices.c, and simt_gpus() in ../simt.h. */
cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaGetDevice(int *device);
static inline cudaError_t cudaDriverGetVersion(int *v) { return SIMT_GIVE(v, CUDART_VERSION); }
static inline cudaError_t cudaRuntimeGetVersion(int *v) { return SIMT_GIVE(v, CUDART_VERSION); }
cudaError_t cudaSetDevice(int device);
cudaError_t cudaInitDevice(int device, unsigned device_flags, unsigned flags);
#define cudaInitDeviceFlagsAreValid 1u
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device);
/* The heap is the one that kernels allocate from; the other limits are none here. */
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit);
cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags);
cudaError_t cudaDeviceDisablePeerAccess(int peer);
cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attribute, int from,
                                      int to);
/* "0000:03:00.0": the device's number is that of its bus. length: of the room, 13 or more. */
cudaError_t cudaDeviceGetPCIBusId(char *id, int length, int device);
cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id);

/* Memory: sizes in bytes. New memory of the device is filled with large numbers, since CUDA
   promises nothing about it; managed and pinned memory is zeros. */
cudaError_t cudaMemGetInfo(size_t *free, size_t *total);
cudaError_t cudaMalloc(void **p, size_t bytes);
cudaError_t cudaMallocManaged(void **p, size_t bytes, unsigned flags SIMT_OR(cudaMemAttachGlobal));
cudaError_t cudaMallocHost(void **p, size_t bytes);
cudaError_t cudaMallocPitch(void **p, size_t *pitch, size_t width, size_t height);
cudaError_t cudaFree(void *p);
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind);
cudaError_t cudaMemset(void *to, int byte, size_t bytes);
/* height rows of width bytes, one every pitch bytes. */
cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemset2D(void *to, size_t pitch, int byte, size_t width, size_t height);
cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device,
                           size_t bytes);
/* A __device__ variable whose address the program has asked for. */
cudaError_t simt_symbol(void *address, size_t bytes);
/* To or from one. */
void simt_copy(void *to, const void *from, size_t bytes);

/* Memory of the host that kernels may touch from now on, until it is let go. */
cudaError_t cudaHostRegister(void *p, size_t bytes, unsigned flags);
cudaError_t cudaHostUnregister(void *p);
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *p);

/* Streams and events (../stream.c). The time between two events is what the simulation took on
   this machine, in milliseconds: a note on stderr says so once. No GPU's time can be had here. */
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority);
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags SIMT_OR(0));
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream SIMT_OR(0));
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t stop);
cudaError_t cudaEventDestroy(cudaEvent_t event);

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);

/* Work in a stream: done at once, queued with several devices, or kept in a graph under capture. */
cudaError_t cudaMemcpyBatchAsync(void *const *to, const void *const *from, const size_t *bytes,
                                 size_t count, struct cudaMemcpyAttributes *how, size_t *first,
                                 size_t how_many, cudaStream_t stream);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream SIMT_OR(0));
cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream SIMT_OR(0));
cudaError_t cudaMemsetAsync(void *to, int byte, size_t bytes, cudaStream_t stream SIMT_OR(0));
cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int byte, size_t width, size_t height,
                              cudaStream_t stream SIMT_OR(0));
cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                size_t bytes, cudaStream_t stream SIMT_OR(0));
cudaError_t cudaMallocAsync(void **p, size_t bytes, cudaStream_t stream); /* on its device */
cudaError_t cudaFreeAsync(void *p, cudaStream_t stream);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t f, void *data);
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t f, void *data,
                                  unsigned flags);

/* Graphs, by capture: what a stream was given between begin and end, in that order. */
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                 unsigned long long flags SIMT_OR(0));
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);

/* What differs from these only in a stream or in flags. */
#define SIMT_CALL(NAME, PARAMETERS, CALL)                                                          \
    static inline cudaError_t NAME PARAMETERS { return CALL; }
/* Memory of another process: there is no other. */
typedef struct {
    char reserved[64];
} cudaIpcMemHandle_t, cudaIpcEventHandle_t;
#define cudaIpcMemLazyEnablePeerAccess 1u
SIMT_CALL(cudaIpcGetEventHandle, (cudaIpcEventHandle_t * handle, cudaEvent_t event),
          cudaErrorNotSupported)
SIMT_CALL(cudaIpcOpenEventHandle, (cudaEvent_t * event, cudaIpcEventHandle_t handle),
          cudaErrorNotSupported)
SIMT_CALL(cudaIpcGetMemHandle, (cudaIpcMemHandle_t * handle, void *p), cudaErrorNotSupported)
SIMT_CALL(cudaIpcOpenMemHandle, (void **p, cudaIpcMemHandle_t handle, unsigned flags),
          cudaErrorNotSupported)
SIMT_CALL(cudaIpcCloseMemHandle, (void *p), cudaErrorNotSupported)
SIMT_CALL(cudaHostAlloc, (void **p, size_t bytes, unsigned flags), cudaMallocHost(p, bytes))
SIMT_CALL(cudaHostGetDevicePointer, (void **device, void *host, unsigned flags),
          SIMT_GIVE(device, host))
SIMT_CALL(cudaFreeHost, (void *p), cudaFree(p))
SIMT_CALL(cudaStreamCreate, (cudaStream_t * stream), cudaStreamCreateWithPriority(stream, 0, 0))
SIMT_CALL(cudaStreamCreateWithFlags, (cudaStream_t * stream, unsigned flags),
          cudaStreamCreateWithPriority(stream, flags, 0))
SIMT_CALL(cudaDeviceGetStreamPriorityRange, (int *least, int *greatest),
          (SIMT_GIVE(least, 0), SIMT_GIVE(greatest, -5)))
SIMT_CALL(cudaEventRecordWithFlags, (cudaEvent_t event, cudaStream_t stream, unsigned flags),
          cudaEventRecord(event, stream))
SIMT_CALL(cudaGraphUpload, (cudaGraphExec_t exec, cudaStream_t stream), cudaSuccess)
SIMT_CALL(cudaEventCreate, (cudaEvent_t * event), cudaEventCreateWithFlags(event, cudaEventDefault))

SIMT_CALL(cudaChooseDevice, (int *device, const struct cudaDeviceProp *wanted),
          SIMT_GIVE(device, 0))
SIMT_CALL(cudaGetDeviceFlags, (unsigned *flags), SIMT_GIVE(flags, 0u))

SIMT_CALL(cudaStreamGetId, (cudaStream_t stream, unsigned long long *id),
          SIMT_GIVE(id, (unsigned long long)(size_t)stream))
/* What was advised is not kept. */
SIMT_ENUM(cudaMemRangeAttribute, cudaMemRangeAttributeReadMostly = 1,
          cudaMemRangeAttributePreferredLocation, cudaMemRangeAttributeAccessedBy,
          cudaMemRangeAttributeLastPrefetchLocation)
SIMT_CALL(cudaMemRangeGetAttribute,
          (void *to, size_t size, enum cudaMemRangeAttribute attribute, const void *p,
           size_t count),
          SIMT_GIVE((int *)to,
                    attribute == cudaMemRangeAttributeReadMostly ? 0 : cudaInvalidDeviceId))

/* Pools: there is one, and memory from it is like any other. */
SIMT_CALL(cudaDeviceGetDefaultMemPool, (cudaMemPool_t * pool, int device),
          SIMT_GIVE(pool, (cudaMemPool_t)1))
SIMT_CALL(cudaDeviceGetMemPool, (cudaMemPool_t * pool, int device),
          SIMT_GIVE(pool, (cudaMemPool_t)1))
SIMT_CALL(cudaDeviceSetMemPool, (int device, cudaMemPool_t pool), cudaSuccess)
SIMT_CALL(cudaMemPoolSetAttribute,
          (cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value), cudaSuccess)
SIMT_CALL(cudaMemPoolGetAttribute,
          (cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value),
          /* an int says whether memory is given again, a number of 8 bytes how much there is */
          (attribute < cudaMemPoolAttrReleaseThreshold ? (void)SIMT_GIVE((int *)value, 1)
                                                       : (void)SIMT_GIVE((size_t *)value, 0),
           cudaSuccess))
SIMT_CALL(cudaMemPoolSetAccess,
          (cudaMemPool_t pool, const struct cudaMemAccessDesc *list, size_t count), cudaSuccess)
SIMT_CALL(cudaMemPoolGetAccess,
          (enum cudaMemAccessFlags * flags, cudaMemPool_t pool, struct cudaMemLocation *location),
          SIMT_GIVE(flags, cudaMemAccessFlagsProtReadWrite))
SIMT_CALL(cudaMemPoolCreate, (cudaMemPool_t * pool, const struct cudaMemPoolProps *properties),
          SIMT_GIVE(pool, (cudaMemPool_t)1))
SIMT_CALL(cudaMemPoolDestroy, (cudaMemPool_t pool), cudaSuccess)
SIMT_CALL(cudaMemPoolTrimTo, (cudaMemPool_t pool, size_t bytes), cudaSuccess)
SIMT_CALL(cudaMallocFromPoolAsync,
          (void **p, size_t bytes, cudaMemPool_t pool, cudaStream_t stream), cudaMalloc(p, bytes))

/* Hints and the profiler: nothing comes of them. */
SIMT_CALL(cudaDeviceSetCacheConfig, (enum cudaFuncCache config), cudaSuccess)
SIMT_CALL(cudaDeviceSetSharedMemConfig, (enum cudaSharedMemConfig config), cudaSuccess)
SIMT_CALL(cudaDeviceGetCacheConfig, (enum cudaFuncCache * config),
          SIMT_GIVE(config, cudaFuncCachePreferNone))
SIMT_CALL(cudaDeviceGetSharedMemConfig, (enum cudaSharedMemConfig * config),
          SIMT_GIVE(config, cudaSharedMemBankSizeFourByte))
SIMT_CALL(cudaStreamSetAttribute,
          (cudaStream_t stream, cudaStreamAttrID id, const cudaStreamAttrValue *value), cudaSuccess)
SIMT_CALL(cudaStreamCopyAttributes, (cudaStream_t to, cudaStream_t from), cudaSuccess)
SIMT_CALL(cudaCtxResetPersistingL2Cache, (void), cudaSuccess)
SIMT_CALL(cudaProfilerStart, (void), cudaSuccess)
SIMT_CALL(cudaProfilerStop, (void), cudaSuccess)

SIMT_CALL(cudaDeviceReset, (void), cudaDeviceSynchronize())
SIMT_GONE_FOR("function: call cudaDeviceSynchronize()")
SIMT_CALL(cudaThreadSynchronize, (void), cudaDeviceSynchronize())
SIMT_GONE_FOR("function: call cudaDeviceReset()")
SIMT_CALL(cudaThreadExit, (void), cudaDeviceReset())
SIMT_CALL(cudaSetDeviceFlags, (unsigned flags), cudaSuccess)

#ifdef __cplusplus
}
#endif
#include "simt_graph.h"
