/*
 * devices.cu: programs for several devices, right and wrong: `devices NAME` runs one, `devices`
 * lists them; see tests/devices.t. What their answer is they check themselves. SIMT_GPUS says how
 * many devices there are, SIMT_SCHEDULE in which order they go.
 */
#include <cuda_runtime.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef unsigned long long word;

#define CHECK(CALL)        expect(CALL, cudaSuccess, __LINE__)
#define FAILS(CALL, ERROR) expect(CALL, ERROR, __LINE__), cudaGetLastError()
static void expect(long got, long expected, int line)
{
    if (got == expected)
        return;
    printf("devices.cu:%d: %ld, not %ld\n", line, got, expected);
    exit(3);
}

enum { MOST = 8, N = 1000 };

/* What each device has. `all` lets every kernel reach the memory of all. */
struct world {
    int count;
    int *data[MOST];   /* N ints, zero at first */
    word *slots[MOST]; /* 2 * MOST words, zero at first */
    cudaStream_t stream[MOST];
};

static struct world open_devices(bool peers)
{
    struct world w = {};
    CHECK(cudaGetDeviceCount(&w.count));
    for (int d = 0; d < w.count; d++) {
        CHECK(cudaSetDevice(d));
        for (int peer = 0; peers && peer < w.count; peer++)
            if (peer != d)
                CHECK(cudaDeviceEnablePeerAccess(peer, 0));
        CHECK(cudaMalloc(&w.data[d], N * sizeof(int)));
        CHECK(cudaMalloc(&w.slots[d], 2 * MOST * sizeof(word)));
        CHECK(cudaMemset(w.data[d], 0, N * sizeof(int)));
        CHECK(cudaMemset(w.slots[d], 0, 2 * MOST * sizeof(word)));
        CHECK(cudaStreamCreate(&w.stream[d]));
        CHECK(cudaDeviceSynchronize());
    }
    CHECK(cudaSetDevice(0));
    return w;
}

static int first_of(const int *data)
{
    int value;
    CHECK(cudaMemcpy(&value, data, sizeof value, cudaMemcpyDefault));
    return value;
}

/* ---- what the API says ---- */

static void api(void)
{
    int count, device, value, peers;
    CHECK(cudaGetDeviceCount(&count));
    struct cudaDeviceProp first, last;
    CHECK(cudaGetDeviceProperties(&first, 0));
    CHECK(cudaGetDeviceProperties(&last, count - 1));
    expect(memcmp(&first.uuid, &last.uuid, sizeof first.uuid) != 0, count > 1, __LINE__);
    CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrPciBusId, count - 1));
    expect(value, last.pciBusID, __LINE__);
    char bus[32];
    CHECK(cudaDeviceGetPCIBusId(bus, sizeof bus, count - 1));
    CHECK(cudaDeviceGetByPCIBusId(&device, bus));
    expect(device, count - 1, __LINE__);
    CHECK(cudaGetDevice(&device));
    expect(device, 0, __LINE__);
    FAILS(cudaSetDevice(count), cudaErrorInvalidDevice);
    FAILS(cudaSetDevice(-1), cudaErrorInvalidDevice);
    FAILS(cudaGetDeviceProperties(&first, count), cudaErrorInvalidDevice);
    FAILS(cudaDeviceGetAttribute(&value, cudaDevAttrPciBusId, count), cudaErrorInvalidDevice);
    FAILS(cudaDeviceCanAccessPeer(&peers, 0, count), cudaErrorInvalidDevice);
    CHECK(cudaDeviceCanAccessPeer(&peers, 0, 0));
    expect(peers, 0, __LINE__);
    FAILS(cudaDeviceEnablePeerAccess(0, 0), cudaErrorInvalidDevice);
    if (count == 1)
        return;
    CHECK(cudaDeviceCanAccessPeer(&peers, 0, 1));
    expect(peers, 1, __LINE__);
    CHECK(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrNativeAtomicSupported, 0, 1));
    expect(value, 1, __LINE__);
    FAILS(cudaDeviceDisablePeerAccess(1), cudaErrorPeerAccessNotEnabled);
    FAILS(cudaDeviceEnablePeerAccess(1, 1), cudaErrorInvalidValue);
    CHECK(cudaDeviceEnablePeerAccess(1, 0));
    FAILS(cudaDeviceEnablePeerAccess(1, 0), cudaErrorPeerAccessAlreadyEnabled);
    CHECK(cudaDeviceDisablePeerAccess(1));
}

__global__ void add_to(int *data, int value)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        data[i] += value;
}

static void memory(void)
{
    struct world w = open_devices(false);
    struct cudaPointerAttributes attributes;
    size_t before, after, total;
    int *pinned, *more, last = w.count - 1, values[N];
    CHECK(cudaSetDevice(last));
    CHECK(cudaMemGetInfo(&before, &total));
    CHECK(cudaMalloc(&more, 1 << 20));
    CHECK(cudaMemGetInfo(&after, &total));
    expect((long)(before - after), 1 << 20, __LINE__);
    CHECK(cudaPointerGetAttributes(&attributes, more + 5));
    expect(attributes.device, last, __LINE__);
    CHECK(cudaFree(more));
    CHECK(cudaMallocAsync(&more, 1 << 20, w.stream[0]));
    CHECK(cudaPointerGetAttributes(&attributes, more));
    expect(attributes.device, 0, __LINE__);
    CHECK(cudaFreeAsync(more, w.stream[0]));
    CHECK(cudaStreamSynchronize(w.stream[0]));
    for (int i = 0; i < N; i++)
        values[i] = i;
    CHECK(cudaMemcpyAsync(w.data[last], values, sizeof values, cudaMemcpyHostToDevice,
                          w.stream[last]));
    values[7] = 0; /* the copy has taken it along */
    add_to<<<4, 256, 0, w.stream[last]>>>(w.data[last], 1);
    CHECK(cudaStreamSynchronize(w.stream[last]));
    CHECK(cudaMemcpyPeer(w.data[0], 0, w.data[last], last, sizeof values));
    CHECK(cudaMallocHost(&pinned, sizeof values));
    CHECK(cudaSetDevice(0));
    CHECK(cudaMemcpyPeerAsync(w.data[last], last, w.data[0], 0, sizeof values, w.stream[0]));
    CHECK(cudaMemcpyAsync(pinned, w.data[last], sizeof values, cudaMemcpyDefault, w.stream[0]));
    CHECK(cudaStreamSynchronize(w.stream[0]));
    expect(pinned[7], 8, __LINE__);
    FAILS(cudaMemcpyPeer(w.data[0], 0, w.data[last], w.count, 4), cudaErrorInvalidDevice);
    if (w.count > 1)
        FAILS(cudaMemcpyPeer(w.data[0], last, w.data[last], last, 4), cudaErrorInvalidValue);
}

/* ---- streams and events ---- */

static void streams(void)
{
    struct world w = open_devices(true);
    cudaEvent_t event, other;
    int device;
    CHECK(cudaStreamGetDevice(w.stream[1], &device));
    expect(device, 1, __LINE__);
    CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    add_to<<<1, 32, 0, w.stream[1]>>>(w.data[1], 1); /* device 0 is chosen */
    FAILS(cudaPeekAtLastError(), cudaErrorInvalidResourceHandle);
    FAILS(cudaEventRecord(event, w.stream[1]), cudaErrorInvalidResourceHandle);

    /* From device to device, each after the one before. */
    for (int d = 0; d < w.count; d++) {
        CHECK(cudaSetDevice(d));
        if (d > 0)
            CHECK(cudaMemcpyPeerAsync(w.data[d], d, w.data[d - 1], d - 1, N * 4, w.stream[d]));
        add_to<<<4, 256, 0, w.stream[d]>>>(w.data[d], 1);
        CHECK(cudaEventCreate(&other));
        CHECK(cudaEventRecord(other, w.stream[d]));
        if (d + 1 < w.count)
            CHECK(cudaStreamWaitEvent(w.stream[d + 1], other, 0));
    }
    expect(cudaStreamQuery(w.stream[0]), cudaSuccess, __LINE__);
    CHECK(cudaEventSynchronize(other));
    CHECK(cudaEventQuery(other));
    expect(first_of(w.data[w.count - 1]), w.count, __LINE__);
}

/* ---- kernels that wait for each other ---- */

struct peers {
    int count, rank;
    word *slots[MOST];
};

static struct peers peers_of(const struct world *w, int rank)
{
    struct peers p = {w->count, rank, {}};
    memcpy(p.slots, w->slots, sizeof p.slots);
    return p;
}

/* Each lane gives one device this one's number, and waits for its. Value and epoch are one word. */
__global__ void exchange(int *data, struct peers p, unsigned epoch, long long patience)
{
    int lane = (int)threadIdx.x, sum = 0, other = __shfl_sync(~0u, lane == 0 ? data[0] : 0, 0);
    int side = (int)(epoch % 2) * MOST;
    if (lane < p.count) {
        *(volatile word *)&p.slots[lane][side + p.rank] = (word)epoch << 32 | (unsigned)other;
        volatile word *mine = &p.slots[p.rank][side + lane];
        long long start = clock64();
        word got;
        while ((got = *mine) >> 32 != epoch)
            if (patience > 0 && clock64() - start > patience)
                break;
        other = got >> 32 == epoch ? (int)got : -1000;
    }
    for (int g = 0; g < p.count; g++)
        sum += __shfl_sync(~0u, other, g);
    if (lane == 0)
        data[0] = sum;
}

static void start(const struct world *w, int device, unsigned epoch, long long patience)
{
    CHECK(cudaSetDevice(device));
    exchange<<<1, 32, 0, w->stream[device]>>>(w->data[device], peers_of(w, device), epoch,
                                              patience);
    CHECK(cudaGetLastError());
}

static void expect_sums(const struct world *w, int expected)
{
    for (int d = 0; d < w->count; d++) {
        CHECK(cudaSetDevice(d));
        CHECK(cudaStreamSynchronize(w->stream[d]));
        expect(first_of(w->data[d]), expected, __LINE__);
    }
}

static void set_numbers(const struct world *w)
{
    for (int d = 0; d < w->count; d++) {
        int number = d + 1;
        CHECK(cudaMemcpy(w->data[d], &number, sizeof number, cudaMemcpyDefault));
    }
}

/* 1 + 2 + … of all devices, then `count` times as much with every round. */
static int expected_sum(int count, int rounds)
{
    int sum = count * (count + 1) / 2;
    for (int r = 1; r < rounds; r++)
        sum *= count;
    return sum;
}

static void all_reduce(void)
{
    struct world w = open_devices(true);
    set_numbers(&w);
    for (unsigned epoch = 1; epoch <= 4; epoch++)
        for (int d = 0; d < w.count; d++)
            start(&w, d, epoch, 1ll << 40);
    expect_sums(&w, expected_sum(w.count, 4));
}

/* The host asks before it has launched all. */
static void asked_early(void)
{
    struct world w = open_devices(true);
    set_numbers(&w);
    start(&w, 0, 1, 1 << 10);
    for (int i = 0; i < 3; i++)
        expect(cudaStreamQuery(w.stream[0]), w.count > 1 ? cudaErrorNotReady : cudaSuccess,
               __LINE__);
    for (int d = 1; d < w.count; d++)
        start(&w, d, 1, 1 << 10);
    expect_sums(&w, expected_sum(w.count, 1));
}

/* Device 1 never launches: who waits with a limit goes on without it. */
static void lost_device(void)
{
    struct world w = open_devices(true);
    set_numbers(&w);
    for (int d = 0; d < w.count; d++)
        if (d != 1)
            start(&w, d, 1, 1ll << 31);
    CHECK(cudaStreamSynchronize(w.stream[0]));
    expect(first_of(w.data[0]), expected_sum(w.count, 1) - 2 - 1000, __LINE__);
}

static void deadlock(void)
{
    struct world w = open_devices(true);
    set_numbers(&w);
    start(&w, 0, 1, 0); /* WAITS */
    CHECK(cudaStreamSynchronize(w.stream[0]));
}

/* One graph over all devices, by events that fork and join; launched again and again. */
static void one_graph(void)
{
    struct world w = open_devices(true);
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaEvent_t fork, join[MOST];
    set_numbers(&w);
    CHECK(cudaSetDevice(0));
    CHECK(cudaEventCreate(&fork));
    if (w.count > 1) { /* a stream that is not joined again */
        CHECK(cudaStreamBeginCapture(w.stream[0], cudaStreamCaptureModeGlobal));
        CHECK(cudaEventRecord(fork, w.stream[0]));
        CHECK(cudaStreamWaitEvent(w.stream[1], fork, 0));
        start(&w, 1, 1, 0);
        FAILS(cudaStreamEndCapture(w.stream[0], &graph), cudaErrorStreamCaptureUnjoined);
        CHECK(cudaSetDevice(0));
    }
    CHECK(cudaStreamBeginCapture(w.stream[0], cudaStreamCaptureModeGlobal));
    CHECK(cudaEventRecord(fork, w.stream[0]));
    for (int d = 1; d < w.count; d++)
        CHECK(cudaStreamWaitEvent(w.stream[d], fork, 0));
    for (unsigned epoch = 1; epoch <= 2; epoch++)
        for (int d = 0; d < w.count; d++)
            start(&w, d, epoch, 1ll << 40);
    for (int d = 1; d < w.count; d++) {
        CHECK(cudaSetDevice(d));
        CHECK(cudaEventCreate(&join[d]));
        CHECK(cudaEventRecord(join[d], w.stream[d]));
        CHECK(cudaStreamWaitEvent(w.stream[0], join[d], 0));
    }
    CHECK(cudaStreamEndCapture(w.stream[0], &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaSetDevice(0));
    CHECK(cudaGraphLaunch(exec, w.stream[0]));
    CHECK(cudaStreamSynchronize(w.stream[0]));
    for (int d = 0; d < w.count; d++)
        CHECK(cudaMemset(w.slots[d], 0, 2 * MOST * sizeof(word))); /* for the same epochs again */
    CHECK(cudaGraphLaunch(exec, w.stream[0]));
    CHECK(cudaStreamSynchronize(w.stream[0]));
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    expect_sums(&w, expected_sum(w.count, 4));
}

static void graph_each(void)
{
    struct world w = open_devices(true);
    cudaGraphExec_t exec[MOST];
    set_numbers(&w);
    for (int d = 0; d < w.count; d++) {
        cudaGraph_t graph;
        CHECK(cudaStreamBeginCapture(w.stream[d], cudaStreamCaptureModeGlobal));
        start(&w, d, 1, 0);
        start(&w, d, 2, 0);
        CHECK(cudaStreamEndCapture(w.stream[d], &graph));
        CHECK(cudaGraphInstantiate(&exec[d], graph, 0));
        CHECK(cudaGraphDestroy(graph));
    }
    for (int d = 0; d < w.count; d++)
        CHECK(cudaGraphLaunch(exec[d], w.stream[d]));
    for (int d = 0; d < w.count; d++)
        CHECK(cudaGraphExecDestroy(exec[d]));
    expect_sums(&w, expected_sum(w.count, 2));
}

/* A thread of the host for each device. */
struct job {
    struct world *w;
    int device;
};

static void *work(void *data)
{
    struct job *job = (struct job *)data;
    for (unsigned epoch = 1; epoch <= 3; epoch++) {
        start(job->w, job->device, epoch, 0);
        CHECK(cudaDeviceSynchronize());
    }
    return NULL;
}

static void host_threads(void)
{
    struct world w = open_devices(true);
    struct job jobs[MOST];
    pthread_t threads[MOST];
    set_numbers(&w);
    for (int d = 0; d < w.count; d++) {
        jobs[d] = {&w, d};
        expect(pthread_create(&threads[d], NULL, work, &jobs[d]), 0, __LINE__);
    }
    for (int d = 0; d < w.count; d++)
        pthread_join(threads[d], NULL);
    expect_sums(&w, expected_sum(w.count, 3));
}

/* Each device has its own variables. */
__device__ int counter = 5;
__constant__ int step;
__global__ void count_up(int *data)
{
    if (threadIdx.x == 0)
        counter += step;
    data[0] = counter;
}

static void variables(void)
{
    struct world w = open_devices(false);
    for (int d = 0; d < w.count; d++) {
        int value = 10 * d;
        CHECK(cudaSetDevice(d));
        CHECK(cudaMemcpyToSymbol(step, &value, sizeof value));
        count_up<<<1, 1>>>(w.data[d]);
    }
    for (int d = 0; d < w.count; d++) {
        int value;
        CHECK(cudaSetDevice(d));
        CHECK(cudaMemcpyFromSymbol(&value, counter, sizeof value));
        expect(value, 5 + 10 * d, __LINE__);
        expect(first_of(w.data[d]), value, __LINE__);
    }
}

/* ---- wrong ---- */

static void no_access(void)
{
    struct world w = open_devices(false);
    add_to<<<1, 32>>>(w.data[1], 1); /* FAULT */
    CHECK(cudaDeviceSynchronize());
}

/* No call waits for it: it is run at the end, and found. */
static void at_exit(void)
{
    struct world w = open_devices(true);
    CHECK(cudaSetDevice(1));
    add_to<<<1, 32>>>(w.data[0] + N, 1);
}

/* ---- wrong, and not seen: docs/simulator.md has a row for each ---- */

/* Device 1 may copy before device 0 has added. */
static void copy_without_event(void)
{
    struct world w = open_devices(true);
    add_to<<<4, 256, 0, w.stream[0]>>>(w.data[0], 1);
    CHECK(cudaMemcpyPeerAsync(w.data[1], 1, w.data[0], 0, N * 4, w.stream[1]));
    CHECK(cudaStreamSynchronize(w.stream[1]));
    CHECK(cudaStreamSynchronize(w.stream[0]));
}

/* The kernel on device 0 adds to its own counter, not to that of device 1. */
static void other_variable(void)
{
    struct world w = open_devices(true);
    int *counter_of_1;
    CHECK(cudaSetDevice(1));
    CHECK(cudaGetSymbolAddress((void **)&counter_of_1, counter));
    CHECK(cudaSetDevice(0));
    add_to<<<1, 1, 0, w.stream[0]>>>(counter_of_1, 1);
    CHECK(cudaStreamSynchronize(w.stream[0]));
}

__global__ void send_volatile(volatile int *data, bool sender)
{
    if (sender) {
        data[1] = 5;
        data[0] = 1;
    } else {
        while (data[0] == 0)
            ;
        data[2] = data[1];
    }
}

/* Both are volatile, and no fence lies between. */
static void volatile_beside_flag(void)
{
    struct world w = open_devices(true);
    for (int d = 0; d < 2; d++) {
        CHECK(cudaSetDevice(d));
        send_volatile<<<1, 1, 0, w.stream[d]>>>(w.data[0], d == 0);
    }
    CHECK(cudaDeviceSynchronize());
}

static const struct {
    const char *name;
    void (*run)(void);
} programs[] = {
#define PROGRAM(NAME)                                                                              \
    {                                                                                              \
#NAME, NAME                                                                                \
    }
    PROGRAM(api),
    PROGRAM(memory),
    PROGRAM(streams),
    PROGRAM(all_reduce),
    PROGRAM(one_graph),
    PROGRAM(graph_each),
    PROGRAM(asked_early),
    PROGRAM(lost_device),
    PROGRAM(variables),
    PROGRAM(host_threads),
    PROGRAM(deadlock),
    PROGRAM(no_access),
    PROGRAM(at_exit),
    PROGRAM(copy_without_event),
    PROGRAM(other_variable),
    PROGRAM(volatile_beside_flag),
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
