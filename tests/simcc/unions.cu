// half and bfloat16 in unions and structures that are copied as bytes: they are trivial types, as in
// CUDA. And what a function returns, straight to shared and global memory.
#include <cstdio>
#include <cstring>
#include <type_traits>
#include <cuda_fp16.h>
#include <cuda_bf16.h>

template <class T> constexpr bool trivial()
{
    return std::is_trivially_copyable<T>::value && std::is_trivially_default_constructible<T>::value
           && std::is_trivially_copy_assignable<T>::value;
}
static_assert(trivial<half>() && trivial<__nv_bfloat16>(), "trivial types");

union Word {
    half h;
    __nv_bfloat16 b;
    unsigned short bits;
};

// Eight numbers by one load and one store, all else in registers.
__global__ void scale(const uint4 *in, uint4 *out, half factor)
{
    union {
        half h[8];
        unsigned words[4];
    } u, result;
    uint4 v = in[threadIdx.x];
    u.words[0] = v.x, u.words[1] = v.y, u.words[2] = v.z, u.words[3] = v.w;
    result = u;
    for (int i = 0; i < 8; i++) result.h[i] = result.h[i] * factor;
    out[threadIdx.x] = make_uint4(result.words[0], result.words[1], result.words[2], result.words[3]);
}

__device__ __noinline__ half opposite(half x) { return -x; }
__device__ __noinline__ const __nv_bfloat16 half_of(__nv_bfloat16 x) { return x * __float2bfloat16(0.5f); }

__global__ void returned(Word *words, __nv_bfloat16 *out)
{
    __shared__ half tile[64];
    __shared__ Word kept[64];
    tile[threadIdx.x] = opposite(words[threadIdx.x].h);
    kept[threadIdx.x] = words[threadIdx.x];
    __syncthreads();
    words[threadIdx.x].h = tile[63 - threadIdx.x];
    Word copy;
    copy = kept[63 - threadIdx.x];
    out[threadIdx.x] = half_of(__float2bfloat16(__half2float(copy.h)));
}

int main()
{
    uint4 *in, *out;
    cudaMallocManaged(&in, 32 * sizeof *in);
    cudaMallocManaged(&out, 32 * sizeof *out);
    half numbers[256];
    for (int i = 0; i < 256; i++) numbers[i] = __float2half((float)i);
    memcpy(in, numbers, sizeof numbers);
    scale<<<1, 32>>>(in, out, __float2half(0.5f));
    cudaDeviceSynchronize();
    memcpy(numbers, out, sizeof numbers);
    int bad = 0;
    for (int i = 0; i < 256; i++) bad += __half2float(numbers[i]) != i / 2.0f;

    Word *words;
    __nv_bfloat16 *halves;
    cudaMallocManaged(&words, 64 * sizeof *words);
    cudaMallocManaged(&halves, 64 * sizeof *halves);
    Word w;
    for (int i = 0; i < 64; i++) {
        w.h = __float2half((float)i);
        words[i] = w;
    }
    returned<<<1, 64>>>(words, halves);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; i++) bad += __half2float(words[i].h) != i - 63.0f || __bfloat162float(halves[i]) != (63 - i) / 2.0f;
    printf("unions: %d wrong\n", bad);
    return bad ? 1 : 0;
}
