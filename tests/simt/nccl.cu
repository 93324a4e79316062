/* nccl.cu: programs with NCCL, for its stand-in (simulator/extras/nccl.c), right and wrong.
 * run: SIMT_STRICT=1 SIMT_GPUS=1 KERNEL(one_process|types|several_kinds|by_.*|in_graphs)
 * run: SIMT_STRICT=1 SIMT_GPUS=2 KERNEL
 * run: SIMT_STRICT=1 SIMT_GPUS=4 SIMT_SCHEDULE=1 KERNEL
 * run: SIMT_STRICT=1 SIMT_GPUS=3 SIMT_SCHEDULE=2 KERNEL
 * run: SIMT_STRICT=1 SIMT_GPUS=2 SIMT_SCHEDULE=3 KERNEL
 * run: SIMT_STRICT=1 SIMT_GPUS=8 SIMT_SCHEDULE=4 KERNEL
 * build: -lnccl
 * expect missing: ^deadlock; device 0 waits at ncclAllReduce\(\) for rank 1 of \d \(device 1\);
 * expect missing: no thread is left to end it$
 * expect different: ^NCCL: rank 0 calls ncclAllReduce\(\) with 100 elements of 4 bytes, rank 1
 * expect different: with 99 of 4, .*: all ranks must call the same$
 * expect alone: ^deadlock: a communicator of \d ranks waits for rank 1, which no call makes;
 * expect alone: between ncclGroupStart\(\) and ncclGroupEnd\(\)$
 * tier: more
 */
#include "kernels.h"
#include <algorithm>
#include <nccl.h>
#include <pthread.h>

#define FAILS(CALL, ERROR) CHECK((CALL) == (ERROR))

enum { MOST = 8, N = 100 };
static int count;
static ncclComm_t comms[MOST];
static cudaStream_t streams[MOST];
static float *data[MOST]; /* N floats: 1 + the rank */

__global__ void fill(float *data, float value) { data[threadIdx.x] = value; }

static void open_devices(void) {
    OK(cudaGetDeviceCount(&count));
    for (int d = 0; d < count; d++) {
        OK(cudaSetDevice(d)); OK(cudaStreamCreateWithFlags(&streams[d], cudaStreamNonBlocking));
        OK(cudaMalloc(&data[d], N * sizeof(float)));
        fill<<<1, N, 0, streams[d]>>>(data[d], (float)(1 + d));
    }
}

/* With a communicator of all, one rank for each. */
static void open_all(void) {
    open_devices();
    OK(ncclCommInitAll(comms, count, NULL));
}

static ncclResult_t add_up(int device, int n = N) { return ncclAllReduce(data[device], data[device], n, ncclFloat, ncclSum, comms[device], streams[device]); }

static void expect_data(int device, float expected, int line) {
    float got[N];
    OK(cudaSetDevice(device)); OK(cudaStreamSynchronize(streams[device]));
    OK(cudaMemcpy(got, data[device], sizeof got, cudaMemcpyDefault));
    for (float x : got) check(x == expected, "what a device has", line);
}

static float sum_of_ranks(void) { return (float)(count * (count + 1) / 2); }

CASE(one_process) {
    int version, ranks, device, rank;
    ncclResult_t error;
    open_devices();
    OK(ncclGetVersion(&version)); CHECK(version == NCCL_VERSION_CODE); OK(ncclCommInitAll(comms, count, NULL));
    OK(ncclCommCount(comms[count - 1], &ranks)); OK(ncclCommCuDevice(comms[count - 1], &device));
    OK(ncclCommUserRank(comms[count - 1], &rank)); CHECK(ranks * 100 + device * 10 + rank == count * 111 - 11);
    OK(ncclGroupStart());
    for (int d = 0; d < count; d++) OK(add_up(d));
    OK(ncclGroupEnd());
    for (int d = 0; d < count; d++) expect_data(d, sum_of_ranks(), __LINE__);
    OK(ncclCommGetAsyncError(comms[0], &error)); CHECK(error == ncclSuccess);
    for (int d = 0; d < count; d++) OK(ncclCommDestroy(comms[d]));
}

/* Each type and operation, on two words that are negative and large where they can be. */
template <class T> static void reduce_as(ncclDataType_t type, T first, T step) {
    static const ncclRedOp_t ops[] = {ncclSum, ncclProd, ncclMax, ncclMin};
    for (ncclRedOp_t op : ops) {
        T *words[MOST], expected = first, got;
        for (int d = 0; d < count; d++) {
            T word = (T)(first + (T)d * step);
            OK(cudaSetDevice(d)); OK(cudaMalloc(&words[d], sizeof(T)));
            OK(cudaMemcpy(words[d], &word, sizeof word, cudaMemcpyDefault));
            if (d > 0)
                expected = (T)(op == ncclSum ? expected + word : op == ncclProd ? expected * word : op == ncclMax ? std::max(word, expected) : std::min(word, expected));
            OK(ncclAllReduce(words[d], words[d], 1, type, op, comms[d], streams[d]));
        }
        OK(cudaSetDevice(count - 1)); OK(cudaStreamSynchronize(streams[count - 1]));
        OK(cudaMemcpy(&got, words[count - 1], sizeof got, cudaMemcpyDefault)); CHECK(got == expected);
    }
}

CASE(types) {
    open_all();
    reduce_as<int8_t>(ncclInt8, -3, 2);
    reduce_as<uint8_t>(ncclUint8, 3, 2);
    reduce_as<int>(ncclInt32, -7, 3);
    reduce_as<unsigned>(ncclUint32, 4000000000u, 1);
    reduce_as<long>(ncclInt64, -(1l << 20), 1 << 20);
    reduce_as<unsigned long>(ncclUint64, 1ul << 63, 5);
    reduce_as<float>(ncclFloat32, -1.5f, 1);
    reduce_as<double>(ncclFloat64, 1e300, 3e299);
}

CASE(several_kinds) {
    float *all[MOST], got[MOST * 2];
    open_all();
    for (int d = 0; d < count; d++) {
        OK(cudaSetDevice(d)); OK(cudaMalloc(&all[d], sizeof got));
        OK(ncclAllGather(data[d], all[d], 2, ncclFloat, comms[d], streams[d]));
        OK(ncclReduce(data[d], data[d], N, ncclFloat, ncclSum, count - 1, comms[d], streams[d]));
        OK(ncclBroadcast(data[d], data[d], N, ncclFloat, count - 1, comms[d], streams[d]));
    }
    for (int d = 0; d < count; d++) expect_data(d, sum_of_ranks(), __LINE__);
    OK(cudaMemcpy(got, all[0], 2 * count * sizeof(float), cudaMemcpyDefault));
    CHECK((long)got[2 * count - 1] == count);
    for (int d = 0; d < count; d++) OK(ncclReduceScatter(all[d], data[d], 2, ncclFloat, ncclAvg, comms[d], streams[d]));
    OK(cudaSetDevice(count - 1)); OK(cudaStreamSynchronize(streams[count - 1]));
    OK(cudaMemcpy(got, data[count - 1], 4, cudaMemcpyDefault)); CHECK((long)got[0] == count);
}

CASE(by_rank) {
    ncclUniqueId id;
    ncclComm_t split[MOST];
    open_devices();
    OK(ncclGetUniqueId(&id)); OK(ncclGroupStart());
    for (int d = 0; d < count; d++) { OK(cudaSetDevice(d)); OK(ncclCommInitRank(&comms[d], count, id, count - 1 - d)); }
    OK(ncclGroupEnd()); OK(ncclGroupStart());
    for (int d = 0; d < count; d++) OK(ncclCommSplit(comms[d], d % 2, -d, &split[d], NULL));
    OK(ncclGroupEnd());
    for (int d = 0; d < count; d += 2) OK(ncclAllReduce(data[d], data[d], N, ncclFloat, ncclSum, split[d], streams[d]));
    expect_data(0, (float)((count + 1) / 2 * ((count + 1) / 2)), __LINE__); /* 1 + 3 + 5 … */
}

static ncclUniqueId shared_id;

static void *rank_thread(void *p) {
    int d = (int)(size_t)p;
    OK(cudaSetDevice(d)); OK(ncclCommInitRank(&comms[d], count, shared_id, d));
    for (int i = 0; i < 3; i++) OK(ncclAllReduce(data[d], data[d], N, ncclFloat, ncclMax, comms[d], streams[d]));
    expect_data(d, (float)count, __LINE__);
    return NULL;
}

CASE(by_thread) {
    pthread_t threads[MOST];
    open_devices();
    OK(ncclGetUniqueId(&shared_id));
    for (int d = 0; d < count; d++) OK(pthread_create(&threads[d], NULL, rank_thread, (void *)(size_t)d));
    for (int d = 0; d < count; d++) pthread_join(threads[d], NULL);
}

/* A graph for each device, launched three times. */
CASE(in_graphs) {
    cudaGraphExec_t exec[MOST];
    open_all();
    for (int d = 0; d < count; d++) {
        cudaGraph_t graph;
        OK(cudaSetDevice(d)); OK(cudaStreamBeginCapture(streams[d], cudaStreamCaptureModeThreadLocal)); OK(add_up(d));
        OK(cudaStreamEndCapture(streams[d], &graph)); OK(cudaGraphInstantiate(&exec[d], graph, 0));
    }
    for (int i = 0; i < 3; i++)
        for (int d = 0; d < count; d++) OK(cudaGraphLaunch(exec[d], streams[d]));
    for (int d = 0; d < count; d++) expect_data(d, sum_of_ranks() * (float)(count * count), __LINE__);
}

CASE(errors) {
    static const int twice[] = {0, 0}, none[] = {MOST};
    ncclUniqueId id;
    ncclComm_t again;
    open_devices();
    FAILS(ncclCommInitAll(comms, count + 1, NULL), ncclInvalidArgument);
    FAILS(ncclCommInitAll(comms, 1, none), ncclInvalidArgument);
    FAILS(ncclCommInitAll(comms, 2, twice), ncclInvalidUsage); OK(ncclGetUniqueId(&id));
    FAILS(ncclCommInitRank(&again, 2, id, 2), ncclInvalidArgument); OK(cudaSetDevice(0)); OK(ncclGroupStart());
    OK(ncclCommInitRank(&comms[0], 2, id, 0));
    FAILS(ncclCommInitRank(&again, 2, id, 0), ncclInvalidUsage); /* a rank twice */
    FAILS(ncclCommInitRank(&again, 2, id, 1), ncclInvalidUsage); /* a device twice */
    FAILS(ncclCommInitRank(&again, 3, id, 1), ncclInvalidUsage); /* another count */
    OK(cudaSetDevice(1)); OK(ncclCommInitRank(&comms[1], 2, id, 1)); OK(ncclGroupEnd());
    FAILS(ncclGroupEnd(), ncclInvalidUsage);
    FAILS(ncclAllReduce(NULL, data[0], N, ncclFloat, ncclSum, comms[0], streams[0]), ncclInvalidArgument);
    FAILS(ncclAllReduce(data[0], data[0], N, ncclFloat, ncclSum, NULL, streams[0]), ncclInvalidArgument);
    FAILS(ncclAllReduce(data[0], data[0], N, ncclNumTypes, ncclSum, comms[0], streams[0]), ncclInvalidArgument);
    FAILS(ncclAllReduce(data[0], data[0], N, ncclHalf, ncclSum, comms[0], streams[0]), ncclInvalidArgument);
    FAILS(ncclBroadcast(data[0], data[0], N, ncclFloat, 2, comms[0], streams[0]), ncclInvalidArgument);
    FAILS(ncclAllReduce(data[0], data[0], N, ncclFloat, ncclSum, comms[0], streams[1]), ncclInvalidUsage);
    CHECK((strstr(ncclGetLastError(NULL), "rank 0 is on device 0") != NULL) == 1);
    /* Rank 1 never comes: rank 0 is let go. */
    OK(add_up(0));
    CHECK(cudaStreamQuery(streams[0]) == cudaErrorNotReady); OK(ncclCommAbort(comms[0]));
    OK(cudaStreamSynchronize(streams[0]));
}

/* Wrong, and not seen: one thread calls for several ranks without a group, which may hang in NCCL. */
CASE(without_group) {
    open_all();
    for (int d = 0; d < count; d++) OK(add_up(d));
    expect_data(0, sum_of_ranks(), __LINE__);
}

/* ---- wrong ---- */

CASE(missing) {
    open_all();
    for (int d = 0; d < count; d++)
        if (d != 1) OK(add_up(d));
    OK(cudaStreamSynchronize(streams[0]));
}

CASE(different) {
    open_all();
    for (int d = 0; d < count; d++) OK(add_up(d, N - d));
    OK(cudaStreamSynchronize(streams[0]));
}

CASE(alone) {
    ncclUniqueId id;
    open_devices();
    OK(ncclGetUniqueId(&id)); OK(ncclCommInitRank(&comms[0], count, id, 0));
}
