/*
 * cub_blocks.cu: what CUB does for a block and for a warp, with CCCL's own headers. `cub_blocks
 * twice` uses one TempStorage twice with no barrier between.
 */
#include <algorithm>
#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#include <stdio.h>
#include <vector>

enum { THREADS = 128, ITEMS = 4, N = THREADS * ITEMS };

template <class T, cub::BlockReduceAlgorithm A> __global__ void reduce(const T *in, T *out)
{
    using Reduce = cub::BlockReduce<T, THREADS, A>;
    __shared__ typename Reduce::TempStorage storage;
    T sum = Reduce(storage).Sum(in[threadIdx.x]);
    __syncthreads();
    T most = Reduce(storage).Reduce(
        in[threadIdx.x], [](T a, T b) { return a > b ? a : b; }, 100);
    if (threadIdx.x == 0) {
        out[0] = sum;
        out[1] = most;
    }
}

template <cub::BlockScanAlgorithm A> __global__ void scan(const int *in, int *out)
{
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
    for (int i = 0; i < ITEMS; i++)
        out[threadIdx.x * ITEMS + i] = items[i];
}

__global__ void sort(const int *in, int *out)
{
    using Sort = cub::BlockRadixSort<int, THREADS, ITEMS>;
    __shared__ typename Sort::TempStorage storage;
    int items[ITEMS];
    for (int i = 0; i < ITEMS; i++)
        items[i] = in[threadIdx.x * ITEMS + i];
    Sort(storage).Sort(items);
    for (int i = 0; i < ITEMS; i++)
        out[threadIdx.x * ITEMS + i] = items[i];
}

__global__ void warps(const int *in, int *out)
{
    using Reduce = cub::WarpReduce<int, 8>;
    using Scan = cub::WarpScan<int>;
    __shared__ typename Reduce::TempStorage of_sums[THREADS / 8];
    __shared__ typename Scan::TempStorage of_scans[THREADS / 32];
    int sum = Reduce(of_sums[threadIdx.x / 8]).Sum(in[threadIdx.x]), below;
    Scan(of_scans[threadIdx.x / 32]).ExclusiveSum(in[threadIdx.x], below);
    out[threadIdx.x] = below;
    if (threadIdx.x % 8 == 0)
        out[THREADS + threadIdx.x / 8] = sum;
}

__global__ void twice(const int *in, int *out)
{
    using Scan = cub::BlockScan<int, THREADS, cub::BLOCK_SCAN_WARP_SCANS>;
    __shared__ typename Scan::TempStorage storage;
    int a, b;
    Scan(storage).InclusiveSum(in[threadIdx.x], a); /* TWICE */
    Scan(storage).InclusiveSum(a, b);               /* TWICE */
    out[threadIdx.x] = b;
}

static int wrong;
static void check(const char *what, bool right)
{
    if (!right)
        printf("%s: wrong\n", what), wrong++;
}

/* What a kernel wrote may be read when it has ended, and not before. */
static void wait_for(const char *what)
{
    check(what, cudaDeviceSynchronize() == cudaSuccess);
}

template <class T> static void check_sums(const std::vector<int> &h)
{
    T *in, *out, sum = 0, most = 0;
    cudaMallocManaged(&in, THREADS * sizeof *in);
    cudaMallocManaged(&out, 2 * sizeof *out);
    for (int i = 0; i < THREADS; i++) {
        in[i] = (T)h[i];
        sum += in[i];
        most = i < 100 ? std::max(most, in[i]) : most;
    }
    reduce<T, cub::BLOCK_REDUCE_RAKING><<<1, THREADS>>>(in, out);
    wait_for("raking");
    check("raking", out[0] == sum && out[1] == most);
    reduce<T, cub::BLOCK_REDUCE_WARP_REDUCTIONS><<<1, THREADS>>>(in, out);
    wait_for("warp reductions");
    check("warp reductions", out[0] == sum && out[1] == most);
}

int main(int argc, char **)
{
    int *in, *out;
    std::vector<int> h(N), sums(N), sorted;
    cudaMallocManaged(&in, N * sizeof *in);
    cudaMallocManaged(&out, N * sizeof *out);
    for (int i = 0; i < N; i++) {
        in[i] = h[i] = i * 37 % 1009 - 300;
        sums[i] = h[i] + (i > 0 ? sums[i - 1] : 0);
    }
    if (argc > 1) {
        twice<<<1, THREADS>>>(in, out);
        return cudaDeviceSynchronize() != cudaSuccess;
    }
    check_sums<int>(h);
    check_sums<double>(h);
    scan<cub::BLOCK_SCAN_RAKING><<<1, THREADS>>>(in, out);
    wait_for("raking scan");
    check("raking scan", std::equal(sums.begin(), sums.end(), out));
    scan<cub::BLOCK_SCAN_WARP_SCANS><<<1, THREADS>>>(in, out);
    wait_for("warp scans");
    check("warp scans", std::equal(sums.begin(), sums.end(), out));
    warps<<<1, THREADS>>>(in, out);
    wait_for("a warp's scan");
    for (int i = 0; i < THREADS; i++) {
        check("a warp's scan", out[i] == (i % 32 ? out[i - 1] + h[i - 1] : 0));
        if (i % 8 == 7)
            check("eight lanes", out[THREADS + i / 8] == sums[i] - (i > 7 ? sums[i - 8] : 0));
    }
    sort<<<1, THREADS>>>(in, out);
    wait_for("sort");
    std::sort(h.begin(), h.end());
    check("sort", std::equal(h.begin(), h.end(), out));
    printf("CUB in blocks: %d wrong\n", wrong);
    return wrong != 0;
}
