// Stream compaction with warp-aggregated atomics, in three ways.
// run: SIMT_SCHEDULE=0..3
// tier: more
#include <cooperative_groups.h>
#include <stdio.h>
#include <algorithm>
#include <vector>
using namespace cooperative_groups;

// 1: coalesced_threads()
__device__ int atomicAggInc(int *ctr)
{
  auto g = coalesced_threads();
  int warp_res;
  if (g.thread_rank() == 0)
    warp_res = atomicAdd(ctr, g.size());
  return g.shfl(warp_res, 0) + g.thread_rank();
}

__global__ void filter_cg(int *dst, int *nres, const int *src, int n)
{
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n) return;
  if (src[i] > 0)
    dst[atomicAggInc(nres)] = src[i];
}

// 2: by hand, with __activemask() and __ffs()
__device__ inline int lane_id(void) { return threadIdx.x % warpSize; }

__global__ void filter_masks(int *dst, int *nres, const int *src, int n)
{
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n && src[i] > 0) {
    unsigned mask = __activemask();
    int leader = __ffs(mask) - 1, res = 0;
    if (lane_id() == leader)
      res = atomicAdd(nres, __popc(mask));
    res = __shfl_sync(mask, res, leader);
    dst[res + __popc(mask & ((1u << lane_id()) - 1))] = src[i];
  }
}

// 3: one counter for each bucket, lanes grouped by __match_any_sync
__global__ void bucket_counts(int *counts, const int *src, int n)
{
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  unsigned everyone = __ballot_sync(0xffffffff, i < n);
  if (i < n) {
    int bucket = src[i] & 7;
    unsigned same = __match_any_sync(everyone, bucket);
    if (lane_id() == __ffs(same) - 1)
      atomicAdd(&counts[bucket], __popc(same));
  }
}

template <class Kernel>
bool compacts(Kernel kernel, int *d_dst, int *d_count, const int *d_src, const std::vector<int> &src)
{
  std::vector<int> expected, got;
  for (int v : src) if (v > 0) expected.push_back(v);
  int count = 0;
  cudaMemset(d_count, 0, sizeof(int));
  kernel<<<(src.size() + 127) / 128, 128>>>(d_dst, d_count, d_src, (int)src.size());
  cudaMemcpy(&count, d_count, sizeof count, cudaMemcpyDeviceToHost);
  got.resize(count);
  cudaMemcpy(got.data(), d_dst, count * sizeof(int), cudaMemcpyDeviceToHost);
  std::sort(expected.begin(), expected.end());
  std::sort(got.begin(), got.end());
  return got == expected;
}

int main()
{
  std::vector<int> src(3001);
  int expected[8] = {0}, counts[8];
  for (size_t i = 0; i < src.size(); i++) {
    src[i] = (int)(i * 2654435761u >> 20) % 41 - 20;
    expected[src[i] & 7]++;
  }
  int *d_src, *d_dst, *d_count;
  cudaMalloc(&d_src, src.size() * sizeof(int));
  cudaMalloc(&d_dst, src.size() * sizeof(int));
  cudaMalloc(&d_count, 8 * sizeof(int));
  cudaMemcpy(d_src, src.data(), src.size() * sizeof(int), cudaMemcpyHostToDevice);

  bool ok = compacts(filter_cg, d_dst, d_count, d_src, src);
  ok = compacts(filter_masks, d_dst, d_count, d_src, src) && ok;
  cudaMemset(d_count, 0, 8 * sizeof(int));
  bucket_counts<<<24, 128>>>(d_count, d_src, src.size());
  cudaMemcpy(counts, d_count, sizeof counts, cudaMemcpyDeviceToHost);
  ok = std::equal(counts, counts + 8, expected) && ok;
  printf("%s\n", ok ? "compacted" : "wrong");
  return ok ? 0 : 1;
}
