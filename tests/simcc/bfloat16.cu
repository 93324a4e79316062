// Mixed precision as in training loops: bfloat16 and half values, sums in float; what the
// conversions do at the edges of both formats; all bit patterns there and back.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cmath>
#include <cstdio>

template <typename T> struct numbers;
template <> struct numbers<__half> {
    static __host__ __device__ __half of(unsigned short bits) { return __ushort_as_half(bits); }
    static __host__ __device__ unsigned short bits(__half h) { return __half_as_ushort(h); }
    static __device__ __half from(float x) { return __float2half(x); }
    static const unsigned infinity = 0x7c00;
};
template <> struct numbers<__nv_bfloat16> {
    static __host__ __device__ __nv_bfloat16 of(unsigned short bits) { return __ushort_as_bfloat16(bits); }
    static __host__ __device__ unsigned short bits(__nv_bfloat16 h) { return __bfloat16_as_ushort(h); }
    static __device__ __nv_bfloat16 from(float x) { return __float2bfloat16(x); }
    static const unsigned infinity = 0x7f80;
};

// Every pattern to float and back; a NaN stays one.
template <typename T> __global__ void there_and_back(int *wrong)
{
    for (unsigned bits = blockIdx.x * blockDim.x + threadIdx.x; bits < 65536; bits += gridDim.x * blockDim.x) {
        float wide = (float)numbers<T>::of(bits);
        T back = numbers<T>::from(wide);
        bool nan = (bits & 0x7fff) > numbers<T>::infinity;
        if (nan ? !__hisnan(back) || wide == wide : numbers<T>::bits(back) != bits) atomicAdd(wrong, 1);
    }
}

// A dot product of pairs, in the pairs' own precision and in float.
__global__ void dot(const __nv_bfloat162 *a, const __nv_bfloat162 *b, int pairs, float *wide, __nv_bfloat162 *narrow)
{
    float sum = 0;
    __nv_bfloat162 both = __float2bfloat162_rn(0.0f);
    for (int i = threadIdx.x; i < pairs; i += 32) {
        float2 x = __bfloat1622float2(a[i]), y = __bfloat1622float2(b[i]);
        sum += x.x * y.x + x.y * y.y;
        both = __hfma2(a[i], b[i], both);
    }
    for (int d = 16; d; d >>= 1) {
        sum += __shfl_xor_sync(~0u, sum, d);
        both += __shfl_xor_sync(~0u, both, d);
    }
    if (threadIdx.x == 0) { *wide = sum; *narrow = both; }
}

__global__ void add_up(half2 *total, nv_bfloat16 *other)
{
    atomicAdd(total, __floats2half2_rn(1.0f, 0.5f));
    if (threadIdx.x < 8) atomicAdd(other, __float2bfloat16(2.0f));
}

__global__ void edges(float *out)
{
    int i = 0;
    out[i++] = __half2float(__float2half(65519.0f));                       // below the tie to infinity
    out[i++] = __half2float(__float2half(65520.0f));                       // infinity
    out[i++] = __half2float(__float2half_rz(1e9f));                        // not past the largest
    out[i++] = __half2float(__float2half_ru(1.0f + 1.0f / 4096));          // up
    out[i++] = __half2float(__float2half(ldexpf(1, -24) * 2.5f));          // subnormal, to even
    out[i++] = __bfloat162float(__float2bfloat16(257.0f));                 // 8 bits: 256
    out[i++] = __bfloat162float(__double2bfloat16(257.0 + 1e-12));         // above the tie: no double rounding
    out[i++] = __bfloat162float(__float2bfloat16_rd(-257.0f));
    out[i++] = (float)__half2int_rn(__float2half(2.5f)) + __half2int_ru(__float2half(2.5f));
    out[i++] = (float)__half2uint_rz(__float2half(-3.0f));                 // the nearest that there is
    out[i++] = __hmax(__ushort_as_half(0x7fff), __float2half(3.0f));
    out[i++] = __hisnan(__hmax_nan(__ushort_as_half(0x7fff), __float2half(3.0f)));
    out[i++] = __hltu(__ushort_as_half(0x7fff), __float2half(3.0f)) + 2 * __hlt(__ushort_as_half(0x7fff), __float2half(3.0f));
    half2 v = __halves2half2(__float2half(3.0f), __float2half(-4.0f)), w = __lowhigh2highlow(v);
    out[i++] = __low2float(h2sqrt(__habs2(w))) + __high2float(__hmin2(v, w));
    out[i++] = (float)__heq2_mask(v, __lows2half2(v, w));
    out[i++] = __hbgt2(__high2half2(w), w) + 10 * __hbge2(__high2half2(w), w);
    out[i++] = __low2float(__hfma2_relu(v, w, v)) + __high2float(__hadd2_sat(v, -w * w));
    out[i++] = __bfloat162float(hexp2(__float2bfloat16(5.0f))) + __half2float(hrcp(__float2half(4.0f)));
    out[i++] = __half2float(CUDART_MAX_NORMAL_FP16) + __half2float(htrunc(__float2half(-1.75f)));
}

// A store of what a function gives, into shared memory.
__device__ __noinline__ __nv_bfloat16 twice(int x) { return __float2bfloat16(2.0f * x); }
__global__ void turn(float *out)
{
    __shared__ __nv_bfloat16 tile[64];
    tile[threadIdx.x] = twice(threadIdx.x);
    __syncthreads();
    out[threadIdx.x] = __bfloat162float(tile[63 - threadIdx.x]);
}

int main()
{
    const float expected[] = {65504, INFINITY, 65504, 1.0009765625f, 2 * 5.9604644775390625e-08f, 256, 258, -258, 5, 0, 3, 1, 1, 2 - 4,
                              4294967296.0f, 0 + 10, 0, 32.25f, 65504 - 1};
    const int count = sizeof expected / sizeof *expected;
    int bad = 0, *wrong;
    float *out;
    cudaMallocManaged(&wrong, sizeof *wrong);
    cudaMallocManaged(&out, count * sizeof *out);
    *wrong = 0;
    there_and_back<__half><<<4, 128>>>(wrong);
    there_and_back<__nv_bfloat16><<<4, 128>>>(wrong);
    edges<<<1, 1>>>(out);
    cudaDeviceSynchronize();
    bad += *wrong;
    for (int i = 0; i < count; i++)
        if (out[i] != expected[i]) { printf("edge %d: %g, not %g\n", i, out[i], expected[i]); bad++; }

    const int pairs = 96;
    __nv_bfloat162 *a, *b, *narrow;
    cudaMallocManaged(&a, pairs * sizeof *a);
    cudaMallocManaged(&b, pairs * sizeof *b);
    cudaMallocManaged(&narrow, sizeof *narrow);
    for (int i = 0; i < pairs; i++) {
        a[i] = __floats2bfloat162_rn(1.0f + i % 3, 0.5f);
        b[i] = make_bfloat162(__float2bfloat16(2.0f), __int2bfloat16_rn(i % 4));
    }
    dot<<<1, 32>>>(a, b, pairs, out, narrow);
    cudaDeviceSynchronize();
    if (out[0] != 96 * 2 * 2 + 96 / 4 * 6 * 0.5f || __low2float(*narrow) != 384 || __high2float(*narrow) != 72) {
        printf("dot product: %g, %g and %g\n", out[0], __low2float(*narrow), __high2float(*narrow));
        bad++;
    }

    half2 *total;
    nv_bfloat16 *other;
    cudaMallocManaged(&total, sizeof *total);
    cudaMallocManaged(&other, sizeof *other);
    *total = __floats2half2_rn(0, 0);
    *other = __float2bfloat16(0);
    add_up<<<2, 32>>>(total, other);
    cudaDeviceSynchronize();
    bad += __low2float(*total) != 64 || __high2float(*total) != 32 || __bfloat162float(*other) != 32;
    float *turned;
    cudaMallocManaged(&turned, 64 * sizeof *turned);
    turn<<<1, 64>>>(turned);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; i++)
        bad += turned[i] != 2.0f * (63 - i);
    printf("16-bit floats: %d wrong\n", bad);
    return bad != 0;
}
