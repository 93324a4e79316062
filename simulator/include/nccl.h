/* nccl.h: a stand-in for NCCL, as far as ../extras/nccl.c has it. Names, types and numbers are
   those of NCCL 2 (docs.nvidia.com/deeplearning/nccl); all ranks belong to this process, each on a
   device of its own. docs/simulator.md says what differs. */
#pragma once

#include <cuda_runtime_api.h>

#define NCCL_MAJOR            2
#define NCCL_MINOR            27
#define NCCL_PATCH            0
#define NCCL_SUFFIX           ""
#define NCCL_VERSION(X, Y, Z) ((X)*10000 + (Y)*100 + (Z)) /* from 2.9 on */
#define NCCL_VERSION_CODE     NCCL_VERSION(NCCL_MAJOR, NCCL_MINOR, NCCL_PATCH)
#define NCCL_UNIQUE_ID_BYTES  128

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ncclComm *ncclComm_t;
typedef struct {
    char internal[NCCL_UNIQUE_ID_BYTES];
} ncclUniqueId;
typedef struct {
    int blocking;
} ncclConfig_t; /* not looked at: no call here waits for long */
#define NCCL_CONFIG_INITIALIZER                                                                    \
    {                                                                                              \
        1                                                                                          \
    }

SIMT_ENUM(ncclResult, ncclSuccess, ncclUnhandledCudaError, ncclSystemError, ncclInternalError,
          ncclInvalidArgument, ncclInvalidUsage, ncclRemoteError, ncclInProgress, ncclNumResults)
typedef enum ncclResult ncclResult_t;

typedef enum { ncclSum, ncclProd, ncclMax, ncclMin, ncclAvg, ncclNumOps } ncclRedOp_t;

SIMT_ENUM(ncclDataType, ncclInt8, ncclUint8, ncclInt32, ncclUint32, ncclInt64, ncclUint64,
          ncclFloat16, ncclFloat32, ncclFloat64, ncclBfloat16, ncclNumTypes, ncclChar = 0,
          ncclInt = 2, ncclHalf = 6, ncclFloat = 7, ncclDouble = 8)
typedef enum ncclDataType ncclDataType_t; /* of 16 bits: copied, not added */

ncclResult_t ncclGetVersion(int *version);
const char *ncclGetErrorString(ncclResult_t result);
/* What the last error of this process was about; comm may be NULL. */
const char *ncclGetLastError(ncclComm_t comm);

/* A communicator for each of `count` devices: those in the list, or 0, 1, …; rank i on the i-th. */
ncclResult_t ncclCommInitAll(ncclComm_t *comms, int count, const int *devices);
ncclResult_t ncclGetUniqueId(ncclUniqueId *id);
/* Rank `rank` of `count`, on the device that is chosen. Waits for the others: so one thread that
   makes several does it between ncclGroupStart() and ncclGroupEnd(), and the latter waits. */
ncclResult_t ncclCommInitRank(ncclComm_t *comm, int count, ncclUniqueId id, int rank);
/* Those of one color, by key and then rank. All ranks call it. NCCL_SPLIT_NOCOLOR gets NULL. */
#define NCCL_SPLIT_NOCOLOR -1
ncclResult_t ncclCommSplit(ncclComm_t comm, int color, int key, ncclComm_t *split,
                           ncclConfig_t *config);
ncclResult_t ncclCommFinalize(ncclComm_t comm);
ncclResult_t ncclCommDestroy(ncclComm_t comm);
/* What this rank has been given and is not done yet ends, without a result. */
ncclResult_t ncclCommAbort(ncclComm_t comm);
ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t *error);
ncclResult_t ncclCommCount(ncclComm_t comm, int *count);
ncclResult_t ncclCommCuDevice(ncclComm_t comm, int *device);
ncclResult_t ncclCommUserRank(ncclComm_t comm, int *rank);

ncclResult_t ncclGroupStart(void);
ncclResult_t ncclGroupEnd(void);

#define SIMT_NCCL_DATA const void *send, void *receive, size_t count, ncclDataType_t type
/* In the order of the stream, when the streams of all ranks have come to it. count: of elements; of
   ncclAllGather() and ncclReduceScatter() that of one rank. send and receive may be the same. */
ncclResult_t ncclAllReduce(SIMT_NCCL_DATA, ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream);
ncclResult_t ncclReduce(SIMT_NCCL_DATA, ncclRedOp_t op, int root, ncclComm_t comm,
                        cudaStream_t stream);
ncclResult_t ncclReduceScatter(SIMT_NCCL_DATA, ncclRedOp_t op, ncclComm_t comm,
                               cudaStream_t stream);
ncclResult_t ncclBroadcast(SIMT_NCCL_DATA, int root, ncclComm_t comm, cudaStream_t stream);
ncclResult_t ncclAllGather(SIMT_NCCL_DATA, ncclComm_t comm, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
