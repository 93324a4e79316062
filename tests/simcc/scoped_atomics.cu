// cuda::atomic and cuda::atomic_ref: with scopes and orders, in shared, global and managed memory, and on the host.
#include <cuda/atomic>
#include <cuda/std/atomic>
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                              \
    do {                                                                                         \
        cudaError_t status_ = (call);                                                            \
        if (status_ != cudaSuccess) {                                                            \
            std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(status_));                \
            std::exit(1);                                                                        \
        }                                                                                        \
    } while (0)

struct Shared {
    cuda::atomic<int, cuda::thread_scope_device> ticket;
    cuda::atomic<unsigned, cuda::thread_scope_system> flag;
    cuda::std::atomic<unsigned long long> total;
    float largest, sum;
};

__global__ void count(Shared *s, const int *data, int n, int *bins)
{
    __shared__ cuda::atomic<int, cuda::thread_scope_block> here[8];
    if (threadIdx.x < 8)
        here[threadIdx.x].store(0, cuda::memory_order_relaxed);
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        here[data[i] & 7].fetch_add(1, cuda::memory_order_relaxed);
        s->total += data[i];
        cuda::atomic_ref<float, cuda::thread_scope_device> sum(s->sum), largest(s->largest);
        sum.fetch_add(float(data[i] & 3));
        largest.fetch_max(float(data[i]), cuda::memory_order_relaxed);
    }
    __syncthreads();
    if (threadIdx.x < 8)
        cuda::atomic_ref<int, cuda::thread_scope_device>{bins[threadIdx.x]} += here[threadIdx.x].load();
}

// A value goes from block to block; acquire and release do what fences would.
__global__ void chain(Shared *s, int *value)
{
    if (threadIdx.x != 0)
        return;
    const int turn = s->ticket.fetch_add(1, cuda::memory_order_acq_rel);
    while (s->flag.load(cuda::memory_order_acquire) != (unsigned)turn)
        ;
    *value = *value * 2 + 1;
    s->flag.store((unsigned)turn + 1, cuda::std::memory_order_release);
}

__global__ void lock(cuda::atomic<int, cuda::thread_scope_device> *held, int *counter)
{
    if (threadIdx.x % 32 != 0)
        return;
    int expected = 0;
    while (!held->compare_exchange_weak(expected, 1, cuda::memory_order_acquire))
        expected = 0;
    *counter += 1;
    held->store(0, cuda::memory_order_release);
}

int main()
{
    const int n = 1000;
    int *data, *bins;
    Shared *s;
    CHECK(cudaMallocManaged(&s, sizeof *s));
    CHECK(cudaMallocManaged(&data, n * sizeof(int)));
    CHECK(cudaMallocManaged(&bins, 10 * sizeof(int)));
    new (s) Shared{};
    int expected[8] = {0}, wrong = 0, most = 0;
    unsigned long long total = 0, sum = 0;
    for (int i = 0; i < n; i++) {
        data[i] = i * 7919 % 1009;
        expected[data[i] & 7]++;
        total += data[i];
        sum += data[i] & 3;
        most = data[i] > most ? data[i] : most;
    }
    for (int i = 0; i < 10; i++)
        bins[i] = 0;
    count<<<3, 128>>>(s, data, n, bins);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 8; i++)
        wrong += bins[i] != expected[i];
    wrong += s->total.load() != total || s->sum != float(sum) || s->largest != float(most);
    std::printf("count: %d wrong\n", wrong);

    chain<<<6, 64>>>(s, &bins[8]);
    CHECK(cudaDeviceSynchronize());
    std::printf("chain: %d\n", bins[8]);
    wrong += bins[8] != 63;

    cuda::atomic<int, cuda::thread_scope_device> *held;
    CHECK(cudaMallocManaged(&held, sizeof *held));
    held->store(0);
    lock<<<4, 128>>>(held, &bins[9]);
    CHECK(cudaDeviceSynchronize());
    std::printf("lock: %d\n", bins[9]);
    wrong += bins[9] != 16;

    int old = 5;
    cuda::atomic<int> host(5);
    wrong += !host.compare_exchange_strong(old, 9) || ++host != 10 || (host |= 5) != 15 || host.exchange(1) != 15;
    CHECK(cudaFree(s));
    return wrong != 0;
}
