/*
 * nccl.cu: programs with NCCL, for its stand-in (simulator/extras/nccl.c): `nccl NAME` runs one,
 * `nccl` lists them; see tests/devices.t. SIMT_GPUS says how many devices there are.
 */
#include <cuda_runtime.h>
#include <nccl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(CALL)        expect(CALL, 0, __LINE__)
#define FAILS(CALL, ERROR) expect(CALL, ERROR, __LINE__)
static void expect(long got, long expected, int line)
{
    if (got == expected)
        return;
    printf("nccl.cu:%d: %ld, not %ld (%s)\n", line, got, expected, ncclGetLastError(NULL));
    exit(3);
}

enum { MOST = 8, N = 100 };
static int count;
static ncclComm_t comms[MOST];
static cudaStream_t streams[MOST];
static float *data[MOST]; /* N floats: 1 + the rank */

__global__ void fill(float *data, float value)
{
    data[threadIdx.x] = value;
}

static void open_devices(void)
{
    CHECK(cudaGetDeviceCount(&count));
    for (int d = 0; d < count; d++) {
        CHECK(cudaSetDevice(d));
        CHECK(cudaStreamCreateWithFlags(&streams[d], cudaStreamNonBlocking));
        CHECK(cudaMalloc(&data[d], N * sizeof(float)));
        fill<<<1, N, 0, streams[d]>>>(data[d], (float)(1 + d));
    }
}

static void expect_data(int device, float expected, int line)
{
    float got[N];
    CHECK(cudaSetDevice(device));
    CHECK(cudaStreamSynchronize(streams[device]));
    CHECK(cudaMemcpy(got, data[device], sizeof got, cudaMemcpyDefault));
    for (int i = 0; i < N; i++)
        expect((long)got[i], (long)expected, line);
}

static float sum_of_ranks(void)
{
    return (float)(count * (count + 1) / 2);
}

static void one_process(void)
{
    int version, ranks, device, rank;
    ncclResult_t error;
    open_devices();
    CHECK(ncclGetVersion(&version));
    expect(version, NCCL_VERSION_CODE, __LINE__);
    CHECK(ncclCommInitAll(comms, count, NULL));
    CHECK(ncclCommCount(comms[count - 1], &ranks));
    CHECK(ncclCommCuDevice(comms[count - 1], &device));
    CHECK(ncclCommUserRank(comms[count - 1], &rank));
    expect(ranks * 100 + device * 10 + rank, count * 111 - 11, __LINE__);
    CHECK(ncclGroupStart());
    for (int d = 0; d < count; d++)
        CHECK(ncclAllReduce(data[d], data[d], N, ncclFloat, ncclSum, comms[d], streams[d]));
    CHECK(ncclGroupEnd());
    for (int d = 0; d < count; d++)
        expect_data(d, sum_of_ranks(), __LINE__);
    CHECK(ncclCommGetAsyncError(comms[0], &error));
    expect(error, ncclSuccess, __LINE__);
    for (int d = 0; d < count; d++)
        CHECK(ncclCommDestroy(comms[d]));
}

/* Each type and operation, on two words that are negative and large where they can be. */
template <class T> static void reduce_as(ncclDataType_t type, T first, T step)
{
    static const ncclRedOp_t ops[] = {ncclSum, ncclProd, ncclMax, ncclMin};
    for (ncclRedOp_t op : ops) {
        T *words[MOST], expected = first, got;
        for (int d = 0; d < count; d++) {
            T word = (T)(first + (T)d * step);
            CHECK(cudaSetDevice(d));
            CHECK(cudaMalloc(&words[d], sizeof(T)));
            CHECK(cudaMemcpy(words[d], &word, sizeof word, cudaMemcpyDefault));
            if (d > 0)
                expected = (T)(op == ncclSum    ? expected + word
                               : op == ncclProd ? expected * word
                               : op == ncclMax  ? (word > expected ? word : expected)
                                                : (word < expected ? word : expected));
            CHECK(ncclAllReduce(words[d], words[d], 1, type, op, comms[d], streams[d]));
        }
        CHECK(cudaSetDevice(count - 1));
        CHECK(cudaStreamSynchronize(streams[count - 1]));
        CHECK(cudaMemcpy(&got, words[count - 1], sizeof got, cudaMemcpyDefault));
        expect(got == expected, 1, __LINE__);
    }
}

static void types(void)
{
    open_devices();
    CHECK(ncclCommInitAll(comms, count, NULL));
    reduce_as<int8_t>(ncclInt8, -3, 2);
    reduce_as<uint8_t>(ncclUint8, 3, 2);
    reduce_as<int>(ncclInt32, -7, 3);
    reduce_as<unsigned>(ncclUint32, 4000000000u, 1);
    reduce_as<long>(ncclInt64, -(1l << 20), 1 << 20);
    reduce_as<unsigned long>(ncclUint64, 1ul << 63, 5);
    reduce_as<float>(ncclFloat32, -1.5f, 1);
    reduce_as<double>(ncclFloat64, 1e300, 3e299);
}

static void several_kinds(void)
{
    float *all[MOST], got[MOST * 2];
    open_devices();
    CHECK(ncclCommInitAll(comms, count, NULL));
    for (int d = 0; d < count; d++) {
        CHECK(cudaSetDevice(d));
        CHECK(cudaMalloc(&all[d], sizeof got));
        CHECK(ncclAllGather(data[d], all[d], 2, ncclFloat, comms[d], streams[d]));
        CHECK(ncclReduce(data[d], data[d], N, ncclFloat, ncclSum, count - 1, comms[d], streams[d]));
        CHECK(ncclBroadcast(data[d], data[d], N, ncclFloat, count - 1, comms[d], streams[d]));
    }
    for (int d = 0; d < count; d++)
        expect_data(d, sum_of_ranks(), __LINE__);
    CHECK(cudaMemcpy(got, all[0], 2 * count * sizeof(float), cudaMemcpyDefault));
    expect((long)got[2 * count - 1], count, __LINE__);
    for (int d = 0; d < count; d++)
        CHECK(ncclReduceScatter(all[d], data[d], 2, ncclFloat, ncclAvg, comms[d], streams[d]));
    CHECK(cudaSetDevice(count - 1));
    CHECK(cudaStreamSynchronize(streams[count - 1]));
    CHECK(cudaMemcpy(got, data[count - 1], 4, cudaMemcpyDefault));
    expect((long)got[0], count, __LINE__);
}

static void by_rank(void)
{
    ncclUniqueId id;
    ncclComm_t split[MOST];
    open_devices();
    CHECK(ncclGetUniqueId(&id));
    CHECK(ncclGroupStart());
    for (int d = 0; d < count; d++) {
        CHECK(cudaSetDevice(d));
        CHECK(ncclCommInitRank(&comms[d], count, id, count - 1 - d));
    }
    CHECK(ncclGroupEnd());
    CHECK(ncclGroupStart());
    for (int d = 0; d < count; d++)
        CHECK(ncclCommSplit(comms[d], d % 2, -d, &split[d], NULL));
    CHECK(ncclGroupEnd());
    for (int d = 0; d < count; d += 2)
        CHECK(ncclAllReduce(data[d], data[d], N, ncclFloat, ncclSum, split[d], streams[d]));
    expect_data(0, (float)((count + 1) / 2 * ((count + 1) / 2)), __LINE__); /* 1 + 3 + 5 … */
}

static ncclUniqueId shared_id;

static void *rank_thread(void *p)
{
    int d = (int)(size_t)p;
    CHECK(cudaSetDevice(d));
    CHECK(ncclCommInitRank(&comms[d], count, shared_id, d));
    for (int i = 0; i < 3; i++)
        CHECK(ncclAllReduce(data[d], data[d], N, ncclFloat, ncclMax, comms[d], streams[d]));
    expect_data(d, (float)count, __LINE__);
    return NULL;
}

static void by_thread(void)
{
    pthread_t threads[MOST];
    open_devices();
    CHECK(ncclGetUniqueId(&shared_id));
    for (int d = 0; d < count; d++)
        CHECK(pthread_create(&threads[d], NULL, rank_thread, (void *)(size_t)d));
    for (int d = 0; d < count; d++)
        pthread_join(threads[d], NULL);
}

/* A graph for each device, launched three times. */
static void in_graphs(void)
{
    cudaGraphExec_t exec[MOST];
    float expected = sum_of_ranks();
    open_devices();
    expected = sum_of_ranks() * (float)(count * count);
    CHECK(ncclCommInitAll(comms, count, NULL));
    for (int d = 0; d < count; d++) {
        cudaGraph_t graph;
        CHECK(cudaSetDevice(d));
        CHECK(cudaStreamBeginCapture(streams[d], cudaStreamCaptureModeThreadLocal));
        CHECK(ncclAllReduce(data[d], data[d], N, ncclFloat, ncclSum, comms[d], streams[d]));
        CHECK(cudaStreamEndCapture(streams[d], &graph));
        CHECK(cudaGraphInstantiate(&exec[d], graph, 0));
    }
    for (int i = 0; i < 3; i++)
        for (int d = 0; d < count; d++)
            CHECK(cudaGraphLaunch(exec[d], streams[d]));
    for (int d = 0; d < count; d++)
        expect_data(d, expected, __LINE__);
}

static void errors(void)
{
    static const int twice[] = {0, 0}, none[] = {MOST};
    ncclUniqueId id;
    ncclComm_t again;
    open_devices();
    FAILS(ncclCommInitAll(comms, count + 1, NULL), ncclInvalidArgument);
    FAILS(ncclCommInitAll(comms, 1, none), ncclInvalidArgument);
    FAILS(ncclCommInitAll(comms, 2, twice), ncclInvalidUsage);
    CHECK(ncclGetUniqueId(&id));
    FAILS(ncclCommInitRank(&again, 2, id, 2), ncclInvalidArgument);
    CHECK(cudaSetDevice(0));
    CHECK(ncclGroupStart());
    CHECK(ncclCommInitRank(&comms[0], 2, id, 0));
    FAILS(ncclCommInitRank(&again, 2, id, 0), ncclInvalidUsage); /* a rank twice */
    FAILS(ncclCommInitRank(&again, 2, id, 1), ncclInvalidUsage); /* a device twice */
    FAILS(ncclCommInitRank(&again, 3, id, 1), ncclInvalidUsage); /* another count */
    CHECK(cudaSetDevice(1));
    CHECK(ncclCommInitRank(&comms[1], 2, id, 1));
    CHECK(ncclGroupEnd());
    FAILS(ncclGroupEnd(), ncclInvalidUsage);
    FAILS(ncclAllReduce(NULL, data[0], N, ncclFloat, ncclSum, comms[0], streams[0]),
          ncclInvalidArgument);
    FAILS(ncclAllReduce(data[0], data[0], N, ncclFloat, ncclSum, NULL, streams[0]),
          ncclInvalidArgument);
    FAILS(ncclAllReduce(data[0], data[0], N, ncclNumTypes, ncclSum, comms[0], streams[0]),
          ncclInvalidArgument);
    FAILS(ncclAllReduce(data[0], data[0], N, ncclHalf, ncclSum, comms[0], streams[0]),
          ncclInvalidArgument);
    FAILS(ncclBroadcast(data[0], data[0], N, ncclFloat, 2, comms[0], streams[0]),
          ncclInvalidArgument);
    FAILS(ncclAllReduce(data[0], data[0], N, ncclFloat, ncclSum, comms[0], streams[1]),
          ncclInvalidUsage);
    expect(strstr(ncclGetLastError(NULL), "rank 0 is on device 0") != NULL, 1, __LINE__);
    /* Rank 1 never comes: rank 0 is let go. */
    CHECK(ncclAllReduce(data[0], data[0], N, ncclFloat, ncclSum, comms[0], streams[0]));
    expect(cudaStreamQuery(streams[0]), cudaErrorNotReady, __LINE__);
    CHECK(ncclCommAbort(comms[0]));
    CHECK(cudaStreamSynchronize(streams[0]));
}

/* Wrong, and not seen: one thread calls for several ranks without a group, which may hang in NCCL.
 */
static void without_group(void)
{
    open_devices();
    CHECK(ncclCommInitAll(comms, count, NULL));
    for (int d = 0; d < count; d++)
        CHECK(ncclAllReduce(data[d], data[d], N, ncclFloat, ncclSum, comms[d], streams[d]));
    expect_data(0, sum_of_ranks(), __LINE__);
}

/* ---- wrong ---- */

static void missing(void)
{
    open_devices();
    CHECK(ncclCommInitAll(comms, count, NULL));
    for (int d = 0; d < count; d++)
        if (d != 1)
            CHECK(ncclAllReduce(data[d], data[d], N, ncclFloat, ncclSum, comms[d], streams[d]));
    CHECK(cudaStreamSynchronize(streams[0]));
}

static void different(void)
{
    open_devices();
    CHECK(ncclCommInitAll(comms, count, NULL));
    for (int d = 0; d < count; d++)
        CHECK(ncclAllReduce(data[d], data[d], N - d, ncclFloat, ncclSum, comms[d], streams[d]));
    CHECK(cudaStreamSynchronize(streams[0]));
}

static void alone(void)
{
    ncclUniqueId id;
    open_devices();
    CHECK(ncclGetUniqueId(&id));
    CHECK(ncclCommInitRank(&comms[0], count, id, 0));
}

static const struct {
    const char *name;
    void (*run)(void);
} programs[] = {
#define PROGRAM(NAME)                                                                              \
    {                                                                                              \
#NAME, NAME                                                                                \
    }
    PROGRAM(one_process),   PROGRAM(types),     PROGRAM(several_kinds), PROGRAM(by_rank),
    PROGRAM(by_thread),     PROGRAM(errors),    PROGRAM(in_graphs),     PROGRAM(missing),
    PROGRAM(without_group), PROGRAM(different), PROGRAM(alone),
};

int main(int argc, char **argv)
{
    for (auto &p : programs)
        if (argc == 1)
            puts(p.name);
        else if (strcmp(p.name, argv[1]) == 0) {
            p.run();
            printf("%s: as it should be\n", p.name);
        }
    return 0;
}
