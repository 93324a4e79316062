// CUB's device-wide functions: sums, scans, sorts, selections. Each is called twice, the first time for its temporary
// memory.
#include <cub/cub.cuh>
#include <cstdio>

#define TWICE(...)                                                                               \
    do {                                                                                         \
        void *temporary = nullptr;                                                               \
        size_t bytes = 0;                                                                        \
        __VA_ARGS__;                                                                             \
        cudaMalloc(&temporary, bytes);                                                           \
        __VA_ARGS__;                                                                             \
        cudaFree(temporary);                                                                     \
    } while (0)

struct IsEven {
    __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};
struct Larger {
    __host__ __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};

int main()
{
    const int n = 500;
    int *in, *out, *values, *count, wrong = 0;
    cudaMallocManaged(&in, n * sizeof *in);
    cudaMallocManaged(&out, n * sizeof *out);
    cudaMallocManaged(&values, n * sizeof *values);
    cudaMallocManaged(&count, 64);
    for (int i = 0; i < n; i++)
        in[i] = i * 37 % n, values[i] = i;
    TWICE(cub::DeviceReduce::Sum(temporary, bytes, in, out, n));
    TWICE(cub::DeviceReduce::Max(temporary, bytes, in, out + 1, n));
    TWICE(cub::DeviceReduce::Reduce(temporary, bytes, in, out + 2, n, Larger(), 0));
    cudaDeviceSynchronize();
    wrong += out[0] != n * (n - 1) / 2 || out[1] != n - 1 || out[2] != n - 1;
    TWICE(cub::DeviceScan::ExclusiveSum(temporary, bytes, in, out, n));
    cudaDeviceSynchronize();
    wrong += out[0] != 0 || out[2] != 37;
    TWICE(cub::DeviceScan::InclusiveScan(temporary, bytes, in, out, Larger(), n));
    cudaDeviceSynchronize();
    wrong += out[n - 1] != n - 1;
    int *sorted;
    cudaMallocManaged(&sorted, n * sizeof *sorted);
    TWICE(cub::DeviceRadixSort::SortPairs(temporary, bytes, in, sorted, values, out, n));
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++)
        wrong += sorted[i] != i || in[out[i]] != i;
    TWICE(cub::DeviceRadixSort::SortKeysDescending(temporary, bytes, in, sorted, n));
    cudaDeviceSynchronize();
    wrong += sorted[0] != n - 1;
    TWICE(cub::DeviceSelect::If(temporary, bytes, sorted, out, count, n, IsEven()));
    cudaDeviceSynchronize();
    wrong += *count != n / 2 || out[0] != n - 2;
    for (int i = 0; i < n; i++)
        in[i] = i / 100;
    TWICE(cub::DeviceRunLengthEncode::Encode(temporary, bytes, in, values, out, count, n));
    cudaDeviceSynchronize();
    wrong += *count != 5 || values[4] != 4 || out[4] != 100;
    TWICE(cub::DeviceHistogram::HistogramEven(temporary, bytes, in, out, 6, 0, 5, n));
    cudaDeviceSynchronize();
    wrong += out[0] != 100 || out[4] != 100;
    std::printf("%d wrong\n", wrong);
    return wrong != 0;
}
