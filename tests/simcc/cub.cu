// CUB by cub/cub.cuh.
// run: SIMT_SCHEDULE=0..3
// tier: more
#include "check.cuh"
#include <cub/cub.cuh>

// For blocks and warps: sums, other reductions, scans with what comes before, a sort, loads and stores that share their memory in a union.
struct Larger {
    __host__ __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};

__global__ void reduces(const int *in, int *out) {
    typedef cub::BlockReduce<int, 128> reduce;
    typedef cub::WarpReduce<int> warp;
    __shared__ typename reduce::TempStorage a, b;
    __shared__ typename warp::TempStorage of_warps[4];
    const int x = in[blockIdx.x * 128 + threadIdx.x];
    const int sum = reduce(a).Sum(x), most = reduce(b).Reduce(x, Larger());
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
    __device__ int operator()(int of_block) {
        const int old = sum;
        sum += of_block;
        return old;
    }
};

template <int THREADS, int ITEMS> __global__ void sorts(const int *in, int *out) {
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

__global__ void warps(int *out) {
    typedef cub::WarpScan<int> scan_type;
    __shared__ typename scan_type::TempStorage t[2];
    int sum;
    scan_type(t[threadIdx.x / 32]).ExclusiveSum((int)threadIdx.x % 32, sum);
    out[threadIdx.x] = sum;
}

static void cub_block() {
    const int n = 512;
    int *in = managed<int>(n, [](int i) { return i * 37 % n; }), *of_blocks = managed<int>(6), *out = managed<int>(2 * n + 128), *sums = managed<int>(64);
    reduces<<<2, 128>>>(in, of_blocks);
    sorts<128, 4><<<1, 128>>>(in, out);
    warps<<<1, 64>>>(sums);
    CHECK(cudaDeviceSynchronize());
    for (int b = 0; b < 2; b++) {
        int sum = 0, most = 0;
        for (int i = b * 128; i < (b + 1) * 128; i++) sum += in[i], most = in[i] > most ? in[i] : most;
        EXPECT(of_blocks[3 * b] == sum && of_blocks[3 * b + 1] == most && of_blocks[3 * b + 2] == 32);
    }
    EACH(i, n, out[i] == i && out[n + i] == 100 + i * (i - 1) / 2);
    EACH(i, 128, out[2 * n + i] == (i + 1) * 1000 + 128);
    EACH(i, 64, sums[i] == i % 32 * (i % 32 - 1) / 2);
}

// Device-wide: sums, scans, sorts, selections. Each is called twice, the first time for its temporary memory.
template <class F> static void twice(F call) {
    void *temporary = nullptr;
    size_t bytes = 0;
    CHECK(call(temporary, bytes), cudaMalloc(&temporary, bytes), call(temporary, bytes), cudaFree(temporary), cudaDeviceSynchronize());
}
#define TWICE(FUNCTION, ...) twice([&](void *temporary, size_t &bytes) { return cub::FUNCTION(temporary, bytes, __VA_ARGS__); })

struct IsEven {
    __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};

static void cub_device() {
    const int n = 500;
    int *in = managed<int>(n, [](int i) { return i * 37 % n; }), *values = managed<int>(n, [](int i) { return i; });
    int *out = managed<int>(n), *sorted = managed<int>(n), *count = managed<int>(1);
    TWICE(DeviceReduce::Sum, in, out, n);
    TWICE(DeviceReduce::Max, in, out + 1, n);
    TWICE(DeviceReduce::Reduce, in, out + 2, n, Larger(), 0);
    EXPECT(out[0] == n * (n - 1) / 2 && out[1] == n - 1 && out[2] == n - 1);
    TWICE(DeviceScan::ExclusiveSum, in, out, n);
    EXPECT(out[0] == 0 && out[2] == 37);
    TWICE(DeviceScan::InclusiveScan, in, out, Larger(), n);
    EXPECT(out[n - 1] == n - 1);
    TWICE(DeviceRadixSort::SortPairs, in, sorted, values, out, n);
    EACH(i, n, sorted[i] == i && in[out[i]] == i);
    TWICE(DeviceRadixSort::SortKeysDescending, in, sorted, n);
    EXPECT(sorted[0] == n - 1);
    TWICE(DeviceSelect::If, sorted, out, count, n, IsEven());
    EXPECT(*count == n / 2 && out[0] == n - 2);
    for (int i = 0; i < n; i++) in[i] = i / 100;
    TWICE(DeviceRunLengthEncode::Encode, in, values, out, count, n);
    EXPECT(*count == 5 && values[4] == 4 && out[4] == 100);
    TWICE(DeviceHistogram::HistogramEven, in, out, 6, 0, 5, n);
    EXPECT(out[0] == 100 && out[4] == 100);
}

int main() {
    cub_block(), cub_device();
    return verdict();
}
