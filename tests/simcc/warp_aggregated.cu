// Stream compaction with warp-aggregated atomics, in three ways.
// run: SIMT_SCHEDULE=0..3
// tier: more
#include "check.cuh"
#include <cooperative_groups.h>
#include <algorithm>
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
void compacts(Kernel kernel, const int *src, int n)
{
  std::vector<int> expected;
  for (int i = 0; i < n; i++) if (src[i] > 0) expected.push_back(src[i]);
  int *dst = managed<int>(n), *count = managed<int>(1);
  kernel<<<(n + 127) / 128, 128>>>(dst, count, src, n);
  CHECK(cudaDeviceSynchronize());
  std::sort(expected.begin(), expected.end());
  std::sort(dst, dst + *count);
  EXPECT(std::vector<int>(dst, dst + *count) == expected);
}

int main()
{
  const int n = 3001;
  int *src = managed<int>(n, [](int i) { return (int)(i * 2654435761u >> 20) % 41 - 20; }), *counts = managed<int>(8), expected[8] = {0};
  for (int i = 0; i < n; i++) expected[src[i] & 7]++;
  compacts(filter_cg, src, n);
  compacts(filter_masks, src, n);
  bucket_counts<<<24, 128>>>(counts, src, n);
  EACH_LEFT(i, 8, counts[i] == expected[i]);
  return verdict();
}
