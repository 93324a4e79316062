// Host code in the style of today's C++ around a kernel: std::atomic, shared_ptr, threads of the
// host that launch, the macros that helper headers look for, times of events.
// run: SIMT_SCHEDULE=0..3
// expect host_part: note: the times between events are those of the simulation
// tier: more
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#if !defined(__NVCC__) || !defined(__CUDACC__) || __CUDACC_VER_MAJOR__ < 11 || CUDART_VERSION < 11000
#error "this file wants a CUDA compiler"
#endif
#ifdef __CUDA_RUNTIME_H__
static inline void check(cudaError_t code, const char *what)
{
    if (code != cudaSuccess)
        throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(code));
}
#else
#error "cuda_runtime.h was not included"
#endif
#define CHECK(call) check(call, #call)

extern "C"__global__ void scale_add(const float *x, float *y, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * x[i];
}

// A buffer that several owners share; the last one frees it.
template <typename T>
std::shared_ptr<T> device_array(size_t n, std::atomic<int> &alive)
{
    T *raw = nullptr;
    CHECK(cudaMalloc(&raw, n * sizeof(T)));
    ++alive;
    return std::shared_ptr<T>(raw, [&alive](T *p) { cudaFree(p); alive.fetch_sub(1); });
}

static std::atomic<int> alive{0}, launches{0};
static std::mutex printing;

static bool job(int number, int n)
{
    std::vector<float> x(n, 1.0f), y(n, float(number));
    std::shared_ptr<float> dx = device_array<float>(n, alive), dy = device_array<float>(n, alive), again = dy;
    CHECK(cudaMemcpy(dx.get(), x.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dy.get(), y.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    scale_add<<<(n + 127) / 128, 128>>>(dx.get(), dy.get(), 2.0f, n);
    CHECK(cudaGetLastError());
    launches.fetch_add(1, std::memory_order_relaxed);
    CHECK(cudaMemcpy(y.data(), again.get(), n * sizeof(float), cudaMemcpyDeviceToHost));
    return std::all_of(y.begin(), y.end(), [=](float v) { return v == number + 2.0f; });
}

int main()
{
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    CHECK(cudaEventRecord(begin));
    std::atomic<int> errors{0};
    std::vector<std::thread> pool;
    for (int t = 0; t < 4; t++)
        pool.emplace_back([t, &errors] {
            for (int i = 0; i < 3; i++)
                if (!job(10 * t + i, 1000 + 100 * t)) {
                    std::lock_guard<std::mutex> lock(printing);
                    printf("job %d of thread %d is wrong\n", i, t);
                    errors++;
                }
        });
    for (auto &thread : pool) thread.join();
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    float ms = -1;
    CHECK(cudaEventElapsedTime(&ms, begin, end));
    int expected = 12;
    errors += !launches.compare_exchange_strong(expected, 0);
    errors += alive != 0;
    errors += !(ms > 0);
    double *pinned, *ordered;    // a 0 for flags and streams, an int variable too
    int none = 0;
    CHECK(cudaHostAlloc((void **)&pinned, 64, none));
    CHECK(cudaMallocAsync(&ordered, 64, 0));
    CHECK(cudaFreeHost(pinned));
    CHECK(cudaFree(ordered));
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    printf("%d errors\n", errors.load());
    return errors != 0;
}
