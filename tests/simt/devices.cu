/* devices.cu: programs for several devices, right and wrong. What their answer is they check
 * themselves. Of those that are wrong, and not seen, docs/simulator.md has a row for each.
 * run: SIMT_STRICT=1 SIMT_GPUS=1 KERNEL(api|memory|all_.*|.*graph.*|asked_.*|variables|host_.*)
 * run: SIMT_STRICT=1 SIMT_GPUS=2 KERNEL
 * run: SIMT_STRICT=1 SIMT_GPUS=4 SIMT_SCHEDULE=1 KERNEL
 * run: SIMT_STRICT=1 SIMT_GPUS=3 SIMT_SCHEDULE=2 KERNEL
 * run: SIMT_STRICT=1 SIMT_GPUS=2 SIMT_SCHEDULE=3 KERNEL
 * run: SIMT_STRICT=1 SIMT_GPUS=8 SIMT_SCHEDULE=4 KERNEL
 * tier: more
 */
#include "kernels.h"
#include <thread>
#include <vector>
typedef unsigned long long word;

#define FAILS(CALL, ERROR) CHECK((CALL) == (ERROR)), cudaGetLastError()

enum { MOST = 8, N = 1000 };

/* What each device has. `all` lets every kernel reach the memory of all. */
struct world {
    int count;
    int *data[MOST];   /* N ints, zero at first */
    word *slots[MOST]; /* 2 * MOST words, zero at first */
    cudaStream_t stream[MOST];
};

static struct world open_devices(bool peers) {
    struct world w = {};
    OK(cudaGetDeviceCount(&w.count));
    for (int d = 0; d < w.count; d++) {
        OK(cudaSetDevice(d));
        for (int peer = 0; peers && peer < w.count; peer++)
            if (peer != d) OK(cudaDeviceEnablePeerAccess(peer, 0));
        OK(cudaMalloc(&w.data[d], N * sizeof(int))); /* EXPECT at_exit: made at */
        OK(cudaMalloc(&w.slots[d], 2 * MOST * sizeof(word))); OK(cudaMemset(w.data[d], 0, N * sizeof(int)));
        OK(cudaMemset(w.slots[d], 0, 2 * MOST * sizeof(word))); OK(cudaStreamCreate(&w.stream[d]));
        OK(cudaDeviceSynchronize());
    }
    OK(cudaSetDevice(0));
    return w;
}

static int first_of(const int *data) {
    int value;
    OK(cudaMemcpy(&value, data, sizeof value, cudaMemcpyDefault));
    return value;
}

/* ---- what the API says ---- */

CASE(api) {
    int count, device, value, peers;
    OK(cudaGetDeviceCount(&count));
    struct cudaDeviceProp first, last;
    OK(cudaGetDeviceProperties(&first, 0)); OK(cudaGetDeviceProperties(&last, count - 1));
    CHECK((memcmp(&first.uuid, &last.uuid, sizeof first.uuid) != 0) == (count > 1));
    OK(cudaDeviceGetAttribute(&value, cudaDevAttrPciBusId, count - 1)); CHECK(value == last.pciBusID);
    char bus[32];
    OK(cudaDeviceGetPCIBusId(bus, sizeof bus, count - 1)); OK(cudaDeviceGetByPCIBusId(&device, bus));
    CHECK(device == count - 1); OK(cudaGetDevice(&device)); CHECK(device == 0);
    FAILS(cudaSetDevice(count), cudaErrorInvalidDevice); FAILS(cudaSetDevice(-1), cudaErrorInvalidDevice);
    FAILS(cudaGetDeviceProperties(&first, count), cudaErrorInvalidDevice);
    FAILS(cudaDeviceGetAttribute(&value, cudaDevAttrPciBusId, count), cudaErrorInvalidDevice);
    FAILS(cudaDeviceCanAccessPeer(&peers, 0, count), cudaErrorInvalidDevice);
    OK(cudaDeviceCanAccessPeer(&peers, 0, 0)); CHECK(peers == 0);
    FAILS(cudaDeviceEnablePeerAccess(0, 0), cudaErrorInvalidDevice);
    if (count == 1) return;
    OK(cudaDeviceCanAccessPeer(&peers, 0, 1)); CHECK(peers == 1);
    OK(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrNativeAtomicSupported, 0, 1)); CHECK(value == 1);
    FAILS(cudaDeviceDisablePeerAccess(1), cudaErrorPeerAccessNotEnabled);
    FAILS(cudaDeviceEnablePeerAccess(1, 1), cudaErrorInvalidValue); OK(cudaDeviceEnablePeerAccess(1, 0));
    FAILS(cudaDeviceEnablePeerAccess(1, 0), cudaErrorPeerAccessAlreadyEnabled);
    OK(cudaDeviceDisablePeerAccess(1));
}

__global__ void add_to(int *data, int value) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) data[i] += value; /* EXPECT no_access: device 0,.* reads 4 bytes of device 1's memory, and device 0 was given no access to it: cudaSetDevice\(0\) and cudaDeviceEnablePeerAccess\(1, 0\) do */ /* EXPECT at_exit: reads 4 bytes at byte 4\d+ of an allocation of 4000 bytes, made at */
}

CASE(memory) {
    struct world w = open_devices(false);
    struct cudaPointerAttributes attributes;
    size_t before, after, total;
    int *pinned, *more, last = w.count - 1, values[N];
    OK(cudaSetDevice(last)); OK(cudaMemGetInfo(&before, &total)); OK(cudaMalloc(&more, 1 << 20));
    OK(cudaMemGetInfo(&after, &total)); CHECK((long)(before - after) == (1 << 20));
    OK(cudaPointerGetAttributes(&attributes, more + 5)); CHECK(attributes.device == last); OK(cudaFree(more));
    OK(cudaMallocAsync(&more, 1 << 20, w.stream[0])); OK(cudaPointerGetAttributes(&attributes, more));
    CHECK(attributes.device == 0); OK(cudaFreeAsync(more, w.stream[0])); OK(cudaStreamSynchronize(w.stream[0]));
    for (int i = 0; i < N; i++) values[i] = i;
    OK(cudaMemcpyAsync(w.data[last], values, sizeof values, cudaMemcpyHostToDevice, w.stream[last]));
    values[7] = 0; /* the copy has taken it along */
    add_to<<<4, 256, 0, w.stream[last]>>>(w.data[last], 1);
    OK(cudaStreamSynchronize(w.stream[last]));
    OK(cudaMemcpyPeer(w.data[0], 0, w.data[last], last, sizeof values));
    OK(cudaMallocHost(&pinned, sizeof values)); OK(cudaSetDevice(0));
    OK(cudaMemcpyPeerAsync(w.data[last], last, w.data[0], 0, sizeof values, w.stream[0]));
    OK(cudaMemcpyAsync(pinned, w.data[last], sizeof values, cudaMemcpyDefault, w.stream[0]));
    OK(cudaStreamSynchronize(w.stream[0])); CHECK(pinned[7] == 8);
    FAILS(cudaMemcpyPeer(w.data[0], 0, w.data[last], w.count, 4), cudaErrorInvalidDevice);
    if (w.count > 1) FAILS(cudaMemcpyPeer(w.data[0], last, w.data[last], last, 4), cudaErrorInvalidValue);
}

/* ---- streams and events ---- */

CASE(streams) {
    struct world w = open_devices(true);
    cudaEvent_t event, other;
    int device;
    OK(cudaStreamGetDevice(w.stream[1], &device)); CHECK(device == 1);
    OK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    add_to<<<1, 32, 0, w.stream[1]>>>(w.data[1], 1); /* device 0 is chosen */
    FAILS(cudaPeekAtLastError(), cudaErrorInvalidResourceHandle);
    FAILS(cudaEventRecord(event, w.stream[1]), cudaErrorInvalidResourceHandle);

    /* From device to device, each after the one before. */
    for (int d = 0; d < w.count; d++) {
        OK(cudaSetDevice(d));
        if (d > 0) OK(cudaMemcpyPeerAsync(w.data[d], d, w.data[d - 1], d - 1, N * 4, w.stream[d]));
        add_to<<<4, 256, 0, w.stream[d]>>>(w.data[d], 1);
        OK(cudaEventCreate(&other)); OK(cudaEventRecord(other, w.stream[d]));
        if (d + 1 < w.count) OK(cudaStreamWaitEvent(w.stream[d + 1], other, 0));
    }
    CHECK(cudaStreamQuery(w.stream[0]) == cudaSuccess); OK(cudaEventSynchronize(other));
    OK(cudaEventQuery(other)); CHECK(first_of(w.data[w.count - 1]) == w.count);
}

/* ---- kernels that wait for each other ---- */

/* Each lane gives one device this one's number, and waits for its. Value and epoch are one word. */
__global__ void exchange(struct world w, int rank, unsigned epoch, long long patience) {
    int lane = (int)threadIdx.x, sum = 0, other = __shfl_sync(~0u, lane == 0 ? w.data[rank][0] : 0, 0);
    int side = (int)(epoch % 2) * MOST;
    if (lane < w.count) {
        *(volatile word *)&w.slots[lane][side + rank] = (word)epoch << 32 | (unsigned)other;
        volatile word *mine = &w.slots[rank][side + lane];
        long long start = clock64();
        word got;
        while ((got = *mine) >> 32 != epoch) /* EXPECT deadlock: deadlock: this thread reads the same place again and again; no other device has anything to do */
            if (patience > 0 && clock64() - start > patience) break;
        other = got >> 32 == epoch ? (int)got : -1000;
    }
    for (int g = 0; g < w.count; g++) sum += __shfl_sync(~0u, other, g);
    if (lane == 0) w.data[rank][0] = sum;
}

static void start(const struct world *w, int device, unsigned epoch, long long patience) {
    OK(cudaSetDevice(device));
    exchange<<<1, 32, 0, w->stream[device]>>>(*w, device, epoch, patience);
    OK(cudaGetLastError());
}

static void expect_sums(const struct world *w, int expected) {
    for (int d = 0; d < w->count; d++) {
        OK(cudaSetDevice(d)); OK(cudaStreamSynchronize(w->stream[d]));
        CHECK((first_of(w->data[d])) == expected);
    }
}

/* With 1, 2, ... in data. */
static struct world open_numbered(void) {
    struct world w = open_devices(true);
    for (int d = 0; d < w.count; d++) {
        int number = d + 1;
        OK(cudaMemcpy(w.data[d], &number, sizeof number, cudaMemcpyDefault));
    }
    return w;
}

/* 1 + 2 + … of all devices, then `count` times as much with every round. */
static int expected_sum(int count, int rounds) {
    int sum = count * (count + 1) / 2;
    for (int r = 1; r < rounds; r++) sum *= count;
    return sum;
}

CASE(all_reduce) {
    struct world w = open_numbered();
    for (unsigned epoch = 1; epoch <= 4; epoch++)
        for (int d = 0; d < w.count; d++) start(&w, d, epoch, 1ll << 40);
    expect_sums(&w, expected_sum(w.count, 4));
}

/* The host asks before it has launched all. */
CASE(asked_early) {
    struct world w = open_numbered();
    start(&w, 0, 1, 1 << 10);
    for (int i = 0; i < 3; i++) CHECK(cudaStreamQuery(w.stream[0]) == (w.count > 1 ? cudaErrorNotReady : cudaSuccess));
    for (int d = 1; d < w.count; d++) start(&w, d, 1, 1 << 10);
    expect_sums(&w, expected_sum(w.count, 1));
}

/* Device 1 never launches: who waits with a limit goes on without it. */
CASE(lost_device) {
    struct world w = open_numbered();
    for (int d = 0; d < w.count; d++)
        if (d != 1) start(&w, d, 1, 1ll << 31);
    OK(cudaStreamSynchronize(w.stream[0])); CHECK(first_of(w.data[0]) == expected_sum(w.count, 1) - 2 - 1000);
}

CASE(deadlock) {
    struct world w = open_numbered();
    start(&w, 0, 1, 0);
    OK(cudaStreamSynchronize(w.stream[0]));
}

/* One graph over all devices, by events that fork and join; launched again and again. */
CASE(one_graph) {
    struct world w = open_numbered();
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaEvent_t fork, join[MOST];
    OK(cudaSetDevice(0)); OK(cudaEventCreate(&fork));
    if (w.count > 1) { /* a stream that is not joined again */
        OK(cudaStreamBeginCapture(w.stream[0], cudaStreamCaptureModeGlobal));
        OK(cudaEventRecord(fork, w.stream[0])); OK(cudaStreamWaitEvent(w.stream[1], fork, 0));
        start(&w, 1, 1, 0);
        FAILS(cudaStreamEndCapture(w.stream[0], &graph), cudaErrorStreamCaptureUnjoined); OK(cudaSetDevice(0));
    }
    OK(cudaStreamBeginCapture(w.stream[0], cudaStreamCaptureModeGlobal));
    OK(cudaEventRecord(fork, w.stream[0]));
    for (int d = 1; d < w.count; d++) OK(cudaStreamWaitEvent(w.stream[d], fork, 0));
    for (unsigned epoch = 1; epoch <= 2; epoch++)
        for (int d = 0; d < w.count; d++) start(&w, d, epoch, 1ll << 40);
    for (int d = 1; d < w.count; d++) {
        OK(cudaSetDevice(d)); OK(cudaEventCreate(&join[d])); OK(cudaEventRecord(join[d], w.stream[d]));
        OK(cudaStreamWaitEvent(w.stream[0], join[d], 0));
    }
    OK(cudaStreamEndCapture(w.stream[0], &graph)); OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaSetDevice(0)); OK(cudaGraphLaunch(exec, w.stream[0])); OK(cudaStreamSynchronize(w.stream[0]));
    for (int d = 0; d < w.count; d++) OK(cudaMemset(w.slots[d], 0, 2 * MOST * sizeof(word))); /* for the same epochs again */
    OK(cudaGraphLaunch(exec, w.stream[0])); OK(cudaStreamSynchronize(w.stream[0]));
    OK(cudaGraphExecDestroy(exec)); OK(cudaGraphDestroy(graph));
    expect_sums(&w, expected_sum(w.count, 4));
}

CASE(graph_each) {
    struct world w = open_numbered();
    cudaGraphExec_t exec[MOST];
    for (int d = 0; d < w.count; d++) {
        cudaGraph_t graph;
        OK(cudaStreamBeginCapture(w.stream[d], cudaStreamCaptureModeGlobal));
        start(&w, d, 1, 0);
        start(&w, d, 2, 0);
        OK(cudaStreamEndCapture(w.stream[d], &graph)); OK(cudaGraphInstantiate(&exec[d], graph, 0));
        OK(cudaGraphDestroy(graph));
    }
    for (int d = 0; d < w.count; d++) OK(cudaGraphLaunch(exec[d], w.stream[d]));
    for (int d = 0; d < w.count; d++) OK(cudaGraphExecDestroy(exec[d]));
    expect_sums(&w, expected_sum(w.count, 2));
}

/* A thread of the host for each device. */
CASE(host_threads) {
    struct world w = open_numbered();
    std::vector<std::thread> threads;
    for (int d = 0; d < w.count; d++)
        threads.emplace_back([&w, d] {
            for (unsigned epoch = 1; epoch <= 3; epoch++) {
                start(&w, d, epoch, 0);
                OK(cudaDeviceSynchronize());
            }
        });
    for (std::thread &thread : threads) thread.join();
    expect_sums(&w, expected_sum(w.count, 3));
}

/* Each device has its own variables. */
__device__ int counter = 5;
__constant__ int step;
__global__ void count_up(int *data) {
    if (threadIdx.x == 0) counter += step;
    data[0] = counter;
}

CASE(variables) {
    struct world w = open_devices(false);
    for (int d = 0; d < w.count; d++) {
        int value = 10 * d;
        OK(cudaSetDevice(d)); OK(cudaMemcpyToSymbol(step, &value, sizeof value));
        count_up<<<1, 1>>>(w.data[d]);
    }
    for (int d = 0; d < w.count; d++) {
        int value;
        OK(cudaSetDevice(d)); OK(cudaMemcpyFromSymbol(&value, counter, sizeof value));
        CHECK(value == 5 + 10 * d); CHECK(first_of(w.data[d]) == value);
    }
}

/* ---- wrong ---- */

CASE(no_access) {
    struct world w = open_devices(false);
    add_to<<<1, 32>>>(w.data[1], 1);
    OK(cudaDeviceSynchronize());
}

/* No call waits for it: it is run at the end, and found. */
CASE(at_exit) {
    struct world w = open_devices(true);
    OK(cudaSetDevice(1));
    add_to<<<1, 32>>>(w.data[0] + N, 1);
}

/* ---- wrong, and not seen: docs/simulator.md has a row for each ---- */

/* Device 1 may copy before device 0 has added. */
CASE(copy_without_event) {
    struct world w = open_devices(true);
    add_to<<<4, 256, 0, w.stream[0]>>>(w.data[0], 1);
    OK(cudaMemcpyPeerAsync(w.data[1], 1, w.data[0], 0, N * 4, w.stream[1]));
    OK(cudaStreamSynchronize(w.stream[1])); OK(cudaStreamSynchronize(w.stream[0]));
}

/* The kernel on device 0 adds to its own counter, not to that of device 1. */
CASE(other_variable) {
    struct world w = open_devices(true);
    int *counter_of_1;
    OK(cudaSetDevice(1)); OK(cudaGetSymbolAddress((void **)&counter_of_1, counter)); OK(cudaSetDevice(0));
    add_to<<<1, 1, 0, w.stream[0]>>>(counter_of_1, 1);
    OK(cudaStreamSynchronize(w.stream[0]));
}

__global__ void send_volatile(volatile int *data, bool sender) {
    if (sender) {
        data[1] = 5;
        data[0] = 1;
    } else {
        while (data[0] == 0) ;
        data[2] = data[1];
    }
}

/* Both are volatile, and no fence lies between. */
CASE(volatile_beside_flag) {
    struct world w = open_devices(true);
    for (int d = 0; d < 2; d++) {
        OK(cudaSetDevice(d));
        send_volatile<<<1, 1, 0, w.stream[d]>>>(w.data[0], d == 0);
    }
    OK(cudaDeviceSynchronize());
}
