// Kernels that wait for words which the host writes after the launch, and a host that waits for words of kernels: in
// managed, pinned and registered memory, plain and atomic, with streams, events, graphs and a second thread of the host.
// run: SIMT_SCHEDULE=0..3
// tier: more
#include "check.cuh"
#include <chrono>
#include <thread>

__managed__ volatile int started;
volatile int *flag; // pinned: two words
int *out;           // managed: 64 words

// In each block one thread waits for the host, and the others for that.
__global__ void await(volatile int *go, int *results) {
    __shared__ int value;
    if (threadIdx.x == 0) {
        while (*go == 0) ;
        value = *go;
    }
    __syncthreads();
    results[blockIdx.x * blockDim.x + threadIdx.x] = value + threadIdx.x;
}

__global__ void await_atomically(int *go, int *results) {
    while (atomicAdd_system(go, 0) == 0) __nanosleep(100);
    *results = 42;
}

__global__ void await_start(int *results) {
    while (started == 0) ;
    *results = started;
}

// With a limit that the host does not let it come to.
__global__ void await_for_a_while(volatile int *go, int *results) {
    long long begin = clock64();
    while (*go == 0 && clock64() - begin < 100000000000) ;
    *results = *go;
}

__global__ void answer(volatile int *words) {
    for (int round = 1; round <= 5; round++) {
        while (words[0] != round) ;
        words[1] = round * round;
        __threadfence_system();
    }
}

// It waits, and works meanwhile: it is never in one state twice.
__global__ void count_till_told(volatile int *words) { while (words[0] == 0) words[1] = words[1] + 1; }

__global__ void store(int *to, int value) { *to = value; }
__global__ void store_volatile(volatile int *to, int value) { *to = value; }
static void CUDART_CB copy_word(void *words) { ((int *)words)[1] = ((int *)words)[0]; }

static void clear() {
    CHECK(cudaDeviceSynchronize());
    flag[0] = flag[1] = 0;
    for (int i = 0; i < 64; i++) out[i] = 0;
}

static void memories() {
    int *go = managed<int>(1);
    await<<<2, 32>>>(go, out);
    *go = 5;
    LEFT(out[0] == 5 && out[63] == 36);
    *go = 0;
    await_atomically<<<1, 1>>>(go, out);
    __atomic_store_n(go, 1, __ATOMIC_SEQ_CST);
    LEFT(out[0] == 42);

    static int registered;
    int *mapped;
    CHECK(cudaHostRegister(&registered, sizeof registered, cudaHostRegisterMapped), cudaHostGetDevicePointer((void **)&mapped, &registered, 0));
    await<<<2, 32>>>(mapped, out);
    *(volatile int *)&registered = 6;
    LEFT(out[63] == 37);
    CHECK(cudaHostUnregister(&registered));

    await_start<<<1, 1>>>(out);
    started = 3;
    LEFT(out[0] == 3);

    clear();
    await_for_a_while<<<1, 1>>>(flag, out);
    flag[0] = 7;
    LEFT(out[0] == 7);
}

static void both_ways() {
    clear();
    store_volatile<<<1, 1>>>(flag, 8);
    while (flag[0] == 0) ;
    EXPECT(flag[0] == 8);
    clear();
    answer<<<1, 1>>>(flag);
    for (int round = 1; round <= 5; round++) {
        flag[0] = round;
        while (flag[1] != round * round) ;
    }
    clear();
    count_till_told<<<1, 1>>>(flag);
    while (flag[1] < 100) ;
    flag[0] = 1;
    LEFT(flag[1] >= 100);
}

static void streams() {
    int *device, *host;
    cudaStream_t waiting, other;
    cudaEvent_t before, after;
    CHECK(cudaMalloc(&device, 64 * sizeof *device), cudaMallocHost(&host, 64 * sizeof *host));
    for (cudaStream_t *stream : {&waiting, &other}) CHECK(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking));
    for (cudaEvent_t *event : {&before, &after}) CHECK(cudaEventCreateWithFlags(event, cudaEventDisableTiming));
    clear();
    host[0] = host[1] = 0;
    CHECK(cudaEventRecord(before, waiting));
    await<<<2, 32, 0, waiting>>>(flag, device);
    store<<<1, 1, 0, waiting>>>(device + 1, 100);
    CHECK(cudaMemcpyAsync(host, device, 64 * sizeof *device, cudaMemcpyDeviceToHost, waiting), cudaEventRecord(after, waiting));
    CHECK(cudaStreamWaitEvent(other, after, 0), cudaLaunchHostFunc(other, copy_word, host));
    EXPECT(cudaStreamQuery(waiting) == cudaErrorNotReady && cudaStreamQuery(other) == cudaErrorNotReady);
    EXPECT(cudaEventQuery(before) == cudaSuccess && cudaEventQuery(after) == cudaErrorNotReady);
    flag[0] = 9;
    CHECK(cudaEventSynchronize(after), cudaStreamSynchronize(other));
    EXPECT(host[0] == 9 && host[1] == 9 && host[63] == 40);
    CHECK(cudaStreamQuery(waiting));

    // What another stream does need not wait.
    clear();
    await<<<2, 32, 0, waiting>>>(flag, out);
    CHECK(cudaMemsetAsync(device, 1, sizeof *device, other), cudaMemcpyAsync(host, device, sizeof *device, cudaMemcpyDeviceToHost, other));
    CHECK(cudaStreamSynchronize(other));
    flag[0] = host[0];
    CHECK(cudaStreamSynchronize(waiting));
    EXPECT(out[63] == 0x01010101 + 31);

    // Bytes that the host changes after the call were taken along before.
    clear();
    int word = 11;
    await<<<2, 32, 0, waiting>>>(flag, out);
    CHECK(cudaMemcpyAsync(device, &word, sizeof word, cudaMemcpyHostToDevice, waiting));
    word = 12;
    flag[0] = 1;
    CHECK(cudaMemcpyAsync(host, device, sizeof word, cudaMemcpyDeviceToHost, waiting), cudaStreamSynchronize(waiting));
    EXPECT(host[0] == 11);

    // A graph that waits in its middle.
    clear();
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK(cudaStreamBeginCapture(waiting, cudaStreamCaptureModeGlobal));
    store<<<1, 1, 0, waiting>>>(device, 1);
    await<<<2, 32, 0, waiting>>>(flag, out);
    store<<<1, 1, 0, waiting>>>(device, 2);
    CHECK(cudaMemcpyAsync(host, device, sizeof *device, cudaMemcpyDeviceToHost, waiting), cudaStreamEndCapture(waiting, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0), cudaGraphLaunch(exec, waiting));
    flag[0] = 13;
    CHECK(cudaStreamSynchronize(waiting));
    EXPECT(out[63] == 44 && host[0] == 2);
    CHECK(cudaGraphExecDestroy(exec), cudaGraphDestroy(graph), cudaStreamDestroy(waiting), cudaStreamDestroy(other), cudaFree(device));
}

static void threads() {
    clear();
    std::thread late([] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        flag[0] = 14;
    });
    await<<<2, 32>>>(flag, out);
    LEFT(out[63] == 45);
    late.join();
}

int main() {
    // Loaded now: CUDA may have to wait for the device when it loads a kernel.
    cudaFuncAttributes attributes;
    CHECK(cudaFuncGetAttributes(&attributes, store), cudaHostAlloc((void **)&flag, 2 * sizeof *flag, cudaHostAllocMapped));
    out = managed<int>(64);
    memories(), both_ways(), streams(), threads();
    // The last one is not waited for, but by the end of the program.
    clear();
    await<<<2, 32>>>(flag, out);
    flag[0] = 1;
    return wrong != 0;
}
