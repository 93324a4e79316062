// CUB by cub/cub.cuh.
#include <cstdio>
#include <cub/cub.cuh>
#include <vector>

// CUB for blocks and warps, by cub/cub.cuh: sums, other reductions, scans with what comes before, a sort, loads and stores
// that share their memory in a union.
namespace cub_block {

static int wrong;
#define EXPECT(x) (void)((x) || (std::printf("line %d: %s\n", __LINE__, #x), ++wrong))

struct larger {
    __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};

__global__ void reduces(const int *in, int *out)
{
    typedef cub::BlockReduce<int, 128> reduce;
    typedef cub::WarpReduce<int> warp;
    __shared__ typename reduce::TempStorage a, b;
    __shared__ typename warp::TempStorage of_warps[4];
    const int x = in[blockIdx.x * 128 + threadIdx.x];
    const int sum = reduce(a).Sum(x), most = reduce(b).Reduce(x, larger());
    const int lanes = warp(of_warps[threadIdx.x / 32]).Sum(1);
    if (threadIdx.x == 0) {
        out[3 * blockIdx.x] = sum;
        out[3 * blockIdx.x + 1] = most;
        out[3 * blockIdx.x + 2] = lanes;
    }
}

/* What came before the block: every thread of the first warp is asked. */
struct before {
    int sum;
    __device__ int operator()(int of_block)
    {
        const int old = sum;
        sum += of_block;
        return old;
    }
};

template <int THREADS, int ITEMS> __global__ void sorts(const int *in, int *out)
{
    typedef cub::BlockLoad<int, THREADS, ITEMS, cub::BLOCK_LOAD_WARP_TRANSPOSE> load_type;
    typedef cub::BlockStore<int, THREADS, ITEMS> store_type;
    typedef cub::BlockRadixSort<int, THREADS, ITEMS> sort_type;
    typedef cub::BlockScan<int, THREADS> scan_type;
    __shared__ union {
        typename load_type::TempStorage load;
        typename store_type::TempStorage store;
        typename sort_type::TempStorage sort;
        typename scan_type::TempStorage scan;
    } t;
    int items[ITEMS], sums[ITEMS];
    load_type(t.load).Load(in, items);
    __syncthreads();
    sort_type(t.sort).Sort(items);
    __syncthreads();
    store_type(t.store).Store(out, items);
    __syncthreads();
    before hundred = {100};
    scan_type(t.scan).ExclusiveSum(items, sums, hundred);
    __syncthreads();
    store_type(t.store).Store(out + THREADS * ITEMS, sums);
    __syncthreads();
    int all;
    scan_type(t.scan).InclusiveSum(1, sums[0], all);
    out[2 * THREADS * ITEMS + threadIdx.x] = sums[0] * 1000 + all;
}

__global__ void warps(int *out)
{
    typedef cub::WarpScan<int> scan_type;
    __shared__ typename scan_type::TempStorage t[2];
    int sum;
    scan_type(t[threadIdx.x / 32]).ExclusiveSum((int)threadIdx.x % 32, sum);
    out[threadIdx.x] = sum;
}

static int test()
{
    const int n = 512;
    std::vector<int> h(n), r(3 * n);
    for (int i = 0; i < n; i++)
        h[i] = i * 37 % n;
    int *in, *out;
    cudaMalloc(&in, n * sizeof(int));
    cudaMalloc(&out, 3 * n * sizeof(int));
    cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    reduces<<<2, 128>>>(in, out);
    cudaMemcpy(r.data(), out, 6 * sizeof(int), cudaMemcpyDeviceToHost);
    for (int b = 0; b < 2; b++) {
        int sum = 0, most = 0;
        for (int i = 0; i < 128; i++) {
            sum += h[b * 128 + i];
            most = h[b * 128 + i] > most ? h[b * 128 + i] : most;
        }
        EXPECT(r[3 * b] == sum && r[3 * b + 1] == most && r[3 * b + 2] == 32);
    }
    sorts<128, 4><<<1, 128>>>(in, out);
    cudaMemcpy(r.data(), out, (2 * n + 128) * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        EXPECT(r[i] == i && r[n + i] == 100 + i * (i - 1) / 2);
    for (int i = 0; i < 128; i++)
        EXPECT(r[2 * n + i] == (i + 1) * 1000 + 128);
    warps<<<1, 64>>>(out);
    cudaMemcpy(r.data(), out, 64 * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; i++)
        EXPECT(r[i] == i % 32 * (i % 32 - 1) / 2);
    cudaFree(in);
    cudaFree(out);
    std::printf("%d wrong\n", wrong);
    return wrong != 0;
}

#undef EXPECT

} // namespace cub_block

// CUB's device-wide functions: sums, scans, sorts, selections. Each is called twice, the first time for its temporary
// memory.
namespace cub_device {

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

static int test()
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

#undef TWICE

} // namespace cub_device

int main()
{
    return cub_block::test() | cub_device::test();
}
