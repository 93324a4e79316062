// Two ways for many blocks to finish a sum in one launch, with nothing to zero between
// launches (step 09 has a third, by a ticket); more blocks than the simulated device holds at once.
// run: SIMT_SCHEDULE=0..3
#include "check.cuh"

typedef unsigned long long word;
static const int block_size = 512;

__device__ float sum_of_block(const float4 *__restrict__ in, unsigned n4) {
    __shared__ float warps[block_size / 32];
    float value = 0;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n4; i += gridDim.x * blockDim.x) {
        float4 v = __ldcs(in + i);
        value += v.x + v.y + v.z + v.w;
    }
#pragma unroll
    for (int d = 16; d > 0; d >>= 1) value += __shfl_xor_sync(~0u, value, d);
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = value;
    __syncthreads();
    value = threadIdx.x < block_size / 32 ? warps[threadIdx.x] : 0;
    for (int d = 16; d > 0 && threadIdx.x < 32; d >>= 1) value += __shfl_xor_sync(~0u, value, d);
    __syncthreads();
    return value; // of all blocks' values, that of thread 0 counts
}

// Value and flag in one 64-bit word: nothing else is handed over, so no fence. Block 0 waits for the words of all others.
__global__ void by_slots(const float4 *in, unsigned n4, volatile word *slots, volatile unsigned *epoch, float *out) {
    __shared__ float warps[block_size / 32];
    unsigned now = *epoch + 1;
    float value = sum_of_block(in, n4);
    if (blockIdx.x > 0) {
        if (threadIdx.x == 0) slots[blockIdx.x] = (word)now << 32 | __float_as_uint(value);
        return;
    }
    if (threadIdx.x > 0) value = 0;
    for (unsigned i = 1 + threadIdx.x; i < gridDim.x; i += blockDim.x) {
        word w;
        while ((w = slots[i]) >> 32 != now) __nanosleep(20);
        value += __uint_as_float((unsigned)w);
    }
    for (int d = 16; d > 0; d >>= 1) value += __shfl_down_sync(~0u, value, d);
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x == 0) {
        value = 0;
        for (float w : warps) value += w;
        *out = value;
        *epoch = now;
    }
}

// Count in the high bits, sum in the low ones: the order does not matter.
__global__ void by_fixed_point(const float4 *in, unsigned n4, word *accumulator, float *out) {
    float value = sum_of_block(in, n4);
    if (threadIdx.x > 0) return;
    word mine = 1ull << 48 | (word)value;
    word before = atomicAdd(accumulator, mine);
    if (before >> 48 == gridDim.x - 1) {
        *out = (float)((before + mine) & ((1ull << 48) - 1));
        if (atomicExch(accumulator, 0ull) != before + mine || atomicCAS(accumulator, 0ull, 0ull) != 0) __trap();
    }
}

int main() {
    const unsigned n = 1 << 15, most = 64;
    float *in = managed<float>(n, [](int i) { return i % 4; }), *out = managed<float>(2), expected = 0;
    word *slots = managed<word>(most), *accumulator = managed<word>(1);
    unsigned *epoch = managed<unsigned>(1);
    for (unsigned i = 0; i < n; i++) expected += in[i];
    for (unsigned grid : {1u, 5u, most, 33u}) {
        out[0] = out[1] = -1;
        by_slots<<<grid, block_size>>>((const float4 *)in, n / 4, slots, epoch, out);
        LEFT(out[0] == expected);
        by_fixed_point<<<grid, block_size>>>((const float4 *)in, n / 4, accumulator, out + 1);
        LEFT(out[1] == expected);
    }
    return verdict();
}
