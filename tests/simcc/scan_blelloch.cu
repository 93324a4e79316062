// Exclusive prefix sum, work-efficient (Blelloch), any length: scan blocks, scan their
// sums recursively, add those back.
#include <iostream>
#include <numeric>
#include <vector>

#define LOG_NUM_BANKS 5
#define CONFLICT_FREE_OFFSET(n) ((n) >> LOG_NUM_BANKS)
static const int THREADS = 64;
static const int ELEMENTS = 2 * THREADS;

__global__ void scan_block(const int *in, int *out, int *sums, int n)
{
    extern __shared__ int temp[];
    const int tid = threadIdx.x, base = blockIdx.x * 2 * blockDim.x;
    const int ai = tid, bi = tid + blockDim.x;
    const int offA = CONFLICT_FREE_OFFSET(ai), offB = CONFLICT_FREE_OFFSET(bi);
    temp[ai + offA] = base + ai < n ? in[base + ai] : 0;
    temp[bi + offB] = base + bi < n ? in[base + bi] : 0;

    int offset = 1;
    for (int d = blockDim.x; d > 0; d >>= 1) {          // up-sweep
        __syncthreads();
        if (tid < d) {
            int a = offset * (2 * tid + 1) - 1, b = offset * (2 * tid + 2) - 1;
            a += CONFLICT_FREE_OFFSET(a); b += CONFLICT_FREE_OFFSET(b);
            temp[b] += temp[a];
        }
        offset *= 2;
    }
    if (tid == 0) {
        int last = 2 * blockDim.x - 1;
        last += CONFLICT_FREE_OFFSET(last);
        sums[blockIdx.x] = temp[last];
        temp[last] = 0;
    }
    for (int d = 1; d < 2 * blockDim.x; d *= 2) {       // down-sweep
        offset >>= 1;
        __syncthreads();
        if (tid < d) {
            int a = offset * (2 * tid + 1) - 1, b = offset * (2 * tid + 2) - 1;
            a += CONFLICT_FREE_OFFSET(a); b += CONFLICT_FREE_OFFSET(b);
            int t = temp[a];
            temp[a] = temp[b];
            temp[b] += t;
        }
    }
    __syncthreads();
    if (base + ai < n) out[base + ai] = temp[ai + offA];
    if (base + bi < n) out[base + bi] = temp[bi + offB];
}

__global__ void add_sums(int *data, const int *sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] += sums[blockIdx.x];
}

void scan(const int *d_in, int *d_out, int n)
{
    int blocks = (n + ELEMENTS - 1) / ELEMENTS;
    int *d_sums, *d_scanned;
    cudaMalloc(&d_sums, blocks * sizeof(int));
    cudaMalloc(&d_scanned, blocks * sizeof(int));
    size_t smem = (ELEMENTS + CONFLICT_FREE_OFFSET(ELEMENTS)) * sizeof(int);
    scan_block<<<blocks, THREADS, smem>>>(d_in, d_out, d_sums, n);
    if (blocks > 1) {
        scan(d_sums, d_scanned, blocks);
        add_sums<<<blocks, ELEMENTS>>>(d_out, d_scanned, n);
    }
    cudaFree(d_sums);
    cudaFree(d_scanned);
}

int main()
{
    for (int n : {1, 127, 128, 129, 5000, 20000}) {
        std::vector<int> in(n), out(n), expected(n);
        for (int i = 0; i < n; ++i) in[i] = (i * 7919) % 23 - 11;
        std::exclusive_scan(in.begin(), in.end(), expected.begin(), 0);
        int *d_in, *d_out;
        cudaMalloc(&d_in, n * sizeof(int));
        cudaMalloc(&d_out, n * sizeof(int));
        cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
        scan(d_in, d_out, n);
        cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
        cudaFree(d_in), cudaFree(d_out);
        if (cudaGetLastError() != cudaSuccess || out != expected) {
            std::cerr << "scan of " << n << " elements is wrong" << std::endl;
            return 1;
        }
    }
    std::cout << "all scans right" << std::endl;
    return 0;
}
