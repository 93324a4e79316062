/* cub_blocks.cu: what CUB does for a block and for a warp, with CCCL's own headers.
 * run: SIMT_STRICT=1 KERNEL
 * run: SIMT_STRICT=1 SIMT_SCHEDULE=3 KERNEL
 * build: -ICCCL
 * tier: more
 */
#include "kernels.h"
#include <algorithm>
#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#include <vector>

enum { THREADS = 128, ITEMS = 4, N = THREADS * ITEMS };

template <class T, cub::BlockReduceAlgorithm A> __global__ void reduce(const T *in, T *out) {
    using Reduce = cub::BlockReduce<T, THREADS, A>;
    __shared__ typename Reduce::TempStorage storage;
    T sum = Reduce(storage).Sum(in[threadIdx.x]);
    __syncthreads();
    T most = Reduce(storage).Reduce(in[threadIdx.x], [](T a, T b) { return a > b ? a : b; }, 100);
    if (threadIdx.x == 0) out[0] = sum, out[1] = most;
}

template <cub::BlockScanAlgorithm A> __global__ void scan(const int *in, int *out) {
    using Load = cub::BlockLoad<int, THREADS, ITEMS, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
    using Scan = cub::BlockScan<int, THREADS, A>;
    __shared__ union {
        typename Load::TempStorage load;
        typename Scan::TempStorage scan;
    } storage;
    int items[ITEMS];
    Load(storage.load).Load(in, items);
    __syncthreads();
    Scan(storage.scan).InclusiveSum(items, items);
    for (int i = 0; i < ITEMS; i++) out[threadIdx.x * ITEMS + i] = items[i];
}

__global__ void sort(const int *in, int *out) {
    using Sort = cub::BlockRadixSort<int, THREADS, ITEMS>;
    __shared__ typename Sort::TempStorage storage;
    int items[ITEMS];
    for (int i = 0; i < ITEMS; i++) items[i] = in[threadIdx.x * ITEMS + i];
    Sort(storage).Sort(items);
    for (int i = 0; i < ITEMS; i++) out[threadIdx.x * ITEMS + i] = items[i];
}

__global__ void warps(const int *in, int *out) {
    using Reduce = cub::WarpReduce<int, 8>;
    using Scan = cub::WarpScan<int>;
    __shared__ typename Reduce::TempStorage of_sums[THREADS / 8];
    __shared__ typename Scan::TempStorage of_scans[THREADS / 32];
    int sum = Reduce(of_sums[threadIdx.x / 8]).Sum(in[threadIdx.x]), below;
    Scan(of_scans[threadIdx.x / 32]).ExclusiveSum(in[threadIdx.x], below);
    out[threadIdx.x] = below;
    if (threadIdx.x % 8 == 0) out[THREADS + threadIdx.x / 8] = sum;
}

KERNEL(twice, 1, THREADS) {
    using Scan = cub::BlockScan<int, THREADS, cub::BLOCK_SCAN_WARP_SCANS>;
    __shared__ typename Scan::TempStorage storage;
    int a, b;
    Scan(storage).InclusiveSum(data[threadIdx.x], a); /* EXPECT twice: read-write race */
    Scan(storage).InclusiveSum(a, b);                 /* EXPECT twice: read-write race */
    more[threadIdx.x] = b;
}

/* What a kernel reads, and the sums up to there; what it writes may be read when it has ended, and not before. */
static std::vector<int> h(N), sums(N);
template <class T> static std::vector<T> after(void (*kernel)(const T *, T *)) {
    T *in, *out;
    cudaMallocManaged(&in, N * sizeof *in);
    cudaMallocManaged(&out, N * sizeof *out);
    for (int i = 0; i < N; i++) {
        in[i] = h[i] = i * 37 % 1009 - 300;
        sums[i] = h[i] + (i > 0 ? sums[i - 1] : 0);
    }
    kernel<<<1, THREADS>>>(in, out);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    return std::vector<T>(out, out + N);
}

template <class T, cub::BlockReduceAlgorithm A> static void reduces(void) {
    std::vector<T> out = after<T>(reduce<T, A>);
    CHECK(out[0] == sums[THREADS - 1] && out[1] == *std::max_element(h.begin(), h.begin() + 100));
}
CASE(raking_of_ints) { reduces<int, cub::BLOCK_REDUCE_RAKING>(); }
CASE(raking_of_doubles) { reduces<double, cub::BLOCK_REDUCE_RAKING>(); }
CASE(warp_reductions_of_ints) { reduces<int, cub::BLOCK_REDUCE_WARP_REDUCTIONS>(); }
CASE(warp_reductions_of_doubles) { reduces<double, cub::BLOCK_REDUCE_WARP_REDUCTIONS>(); }
CASE(raking_scan) { CHECK(after<int>(scan<cub::BLOCK_SCAN_RAKING>) == sums); }
CASE(warp_scans) { CHECK(after<int>(scan<cub::BLOCK_SCAN_WARP_SCANS>) == sums); }
CASE(scan_of_a_warp) {
    std::vector<int> out = after<int>(warps);
    for (int i = 0; i < THREADS; i++) {
        CHECK(out[i] == (i % 32 ? out[i - 1] + h[i - 1] : 0));
        if (i % 8 == 7) CHECK(out[THREADS + i / 8] == sums[i] - (i > 7 ? sums[i - 8] : 0));
    }
}
CASE(radix_sort) {
    std::vector<int> out = after<int>(sort);
    std::sort(h.begin(), h.end());
    CHECK(out == h);
}
