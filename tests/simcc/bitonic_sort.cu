// Bitonic sort of keys with their values: in shared memory where it fits, else in global.
#include <algorithm>
#include <cassert>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <random>

namespace sorting {

constexpr unsigned kSharedSize = 256;

template <typename Key, typename Value>
__device__ __forceinline__ void Comparator(Key &keyA, Value &valA, Key &keyB, Value &valB, bool ascending) {
  if ((keyA > keyB) == ascending) {
    Key k = keyA; keyA = keyB; keyB = k;
    Value v = valA; valA = valB; valB = v;
  }
}

template <typename Key, typename Value>
__global__ void bitonicSortShared(Key *keys, Value *values) {
  __shared__ Key s_key[kSharedSize];
  __shared__ Value s_val[kSharedSize];
  unsigned base = blockIdx.x * kSharedSize;
  for (unsigned i = threadIdx.x; i < kSharedSize; i += blockDim.x) {
    s_key[i] = keys[base + i];
    s_val[i] = values[base + i];
  }
  for (unsigned size = 2; size <= kSharedSize; size <<= 1) {
    bool ascending = ((blockIdx.x * (kSharedSize / 2) + threadIdx.x) & (size / 2)) == 0;
    for (unsigned stride = size / 2; stride > 0; stride >>= 1) {
      __syncthreads();
      unsigned pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      Comparator(s_key[pos], s_val[pos], s_key[pos + stride], s_val[pos + stride], ascending);
    }
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < kSharedSize; i += blockDim.x) {
    keys[base + i] = s_key[i];
    values[base + i] = s_val[i];
  }
}

template <typename Key, typename Value>
__global__ void bitonicMergeGlobal(Key *keys, Value *values, unsigned size, unsigned stride) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned pos = 2 * t - (t & (stride - 1));
  Comparator(keys[pos], values[pos], keys[pos + stride], values[pos + stride], (t & (size / 2)) == 0);
}

template <typename Key, typename Value> void sort(Key *keys, Value *values, unsigned n) {
  assert((n & (n - 1)) == 0 && n >= kSharedSize);
  bitonicSortShared<<<n / kSharedSize, kSharedSize / 2>>>(keys, values);
  for (unsigned size = 2 * kSharedSize; size <= n; size <<= 1)
    for (unsigned stride = size / 2; stride > 0; stride >>= 1)
      bitonicMergeGlobal<Key, Value>
          <<<n / 2 / 128, 128>>>(keys, values, size, stride);
}

}  // namespace sorting

int main() {
  const unsigned n = 2048;
  auto keys = std::make_unique<uint64_t[]>(n);
  auto values = std::make_unique<unsigned[]>(n);
  std::mt19937_64 generator(42);
  for (unsigned i = 0; i < n; ++i) { keys[i] = generator() % 1000; values[i] = (unsigned)keys[i] * 3; }

  uint64_t *d_keys; unsigned *d_values;
  cudaMalloc(&d_keys, n * sizeof *d_keys);
  cudaMalloc(&d_values, n * sizeof *d_values);
  cudaMemcpy(d_keys, keys.get(), n * sizeof *d_keys, cudaMemcpyHostToDevice);
  cudaMemcpy(d_values, values.get(), n * sizeof *d_values, cudaMemcpyHostToDevice);
  sorting::sort(d_keys, d_values, n);
  std::sort(keys.get(), keys.get() + n);
  auto got = std::make_unique<uint64_t[]>(n);
  cudaMemcpy(got.get(), d_keys, n * sizeof *d_keys, cudaMemcpyDeviceToHost);
  cudaMemcpy(values.get(), d_values, n * sizeof *d_values, cudaMemcpyDeviceToHost);

  for (unsigned i = 0; i < n; ++i)
    if (got[i] != keys[i] || values[i] != 3 * got[i]) {
      std::fprintf(stderr, "position %u: %llu\n", i, (unsigned long long)got[i]);
      return 1;
    }
  std::puts("sorted");
  cudaFree(d_keys);
  cudaFree(d_values);
}
