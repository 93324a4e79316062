// Floats of 8 bits: all 256 codes against a table that is worked out here, floats against the nearest
// of its numbers, a sum of products whose inputs are kept in 8 bits, and pairs and fours of them.
#include <cstdio>
#include <cmath>
#include <cuda_fp8.h>

struct Format {
    int fraction, bias, largest;    // the code of the largest number
    __nv_fp8_interpretation_t kind;
};
static const Format formats[] = {{3, 7, 0x7e, __NV_E4M3}, {2, 15, 0x7b, __NV_E5M2}};

// The number with these bits: NAN beyond the largest, but for the infinity of e5m2.
static float decoded(const Format &f, int code)
{
    int magnitude = code & 0x7f, exponent = magnitude >> f.fraction, rest = magnitude & ((1 << f.fraction) - 1);
    float value = exponent ? ldexpf(1.0f + ldexpf((float)rest, -f.fraction), exponent - f.bias)
                           : ldexpf((float)rest, 1 - f.bias - f.fraction);
    if (magnitude > f.largest) value = f.kind == __NV_E5M2 && magnitude == 0x7c ? INFINITY : NAN;
    return code & 0x80 ? -value : value;
}

// The code nearest to x, by looking at all of them: of two, the even one.
static int encoded(const Format &f, float x, bool saturates)
{
    int sign = std::signbit(x) ? 0x80 : 0, best = 0;
    float magnitude = fabsf(x);
    if (x != x) return 0x7f;
    for (int code = 1; code <= f.largest; code++) {
        double before = magnitude - (double)decoded(f, best), here = fabs(magnitude - (double)decoded(f, code));
        if (here < before || (here == before && code % 2 == 0)) best = code;
    }
    double beyond = 2 * (double)decoded(f, f.largest) - decoded(f, f.largest - 1);    // were there one more
    double middle = (beyond + decoded(f, f.largest)) / 2;
    bool even = f.largest % 2 == 0;
    if (magnitude > middle || (magnitude == middle && !even)) best = saturates ? f.largest : f.largest + 1;
    return sign | best;
}

template <class T> __global__ void to_float(const T *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = float(in[i]);
}

template <class T> __global__ void from_float(const float *in, T *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = T(in[i]);
}

// A function that returns one: its result goes straight to memory.
template <class T> __device__ __noinline__ T twice(T x) { return T(2.0f * float(x)); }

template <class T> __global__ void dot(const T *a, const T *b, float *sum, int n)
{
    __shared__ T tile[128];
    tile[threadIdx.x] = twice(a[threadIdx.x]);
    __syncthreads();
    float own = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) own += (float)tile[n - 1 - i] * (float)b[i];
    for (int d = 16; d > 0; d /= 2) own += __shfl_down_sync(0xffffffffu, own, d);
    if (threadIdx.x % 32 == 0) atomicAdd(sum, own);
}

template <class FOUR, class PAIR> __global__ void fours(const float4 *in, FOUR *out, float4 *back, float2 *pairs, __half2 *halves)
{
    int i = threadIdx.x;
    out[i] = FOUR(in[i]);
    back[i] = out[i].operator float4(); // float4(out[i]) is something else in C++20
    PAIR pair(make_float2(in[i].y, in[i].w));
    pairs[i] = pair.operator float2();
    halves[i] = __half2(PAIR(__half2(pair)));
}

template <class T> static T *managed(int n)
{
    T *p;
    cudaMallocManaged(&p, n * sizeof(T));
    return p;
}

template <class T, class PAIR, class FOUR> static int wrong(const Format &f)
{
    int bad = 0;
    T *codes = managed<T>(256);
    float *values = managed<float>(256);
    for (int i = 0; i < 256; i++) codes[i].__x = (unsigned char)i;
    to_float<<<2, 128>>>(codes, values);
    cudaDeviceSynchronize();
    for (int i = 0; i < 256; i++) {
        float expected = decoded(f, i);
        bad += expected != expected ? values[i] == values[i]
                                    : values[i] != expected || std::signbit(values[i]) != std::signbit(expected);
        __half half = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)i, f.kind);
        bad += expected == expected && __half2float(half) != expected;
    }

    // Each number, the middles between neighbours, and what is just beside; then what is too large or too small.
    const int n = 2 * 128 * 5 + 8;
    float *x = managed<float>(n);
    T *narrow = managed<T>(n);
    for (int i = 0; i < n - 8; i++) {
        int code = i / 10;
        float here = decoded(f, code <= f.largest ? code : f.largest), next = decoded(f, code < f.largest ? code + 1 : f.largest);
        float middle = (here + next) / 2;
        float choices[] = {here, middle, nextafterf(middle, 0), nextafterf(middle, INFINITY), here * 1.01f};
        x[i] = choices[i % 5] * (i / 5 % 2 ? -1 : 1);
    }
    const float last[] = {464, 465, 61439, 61440, 1e30f, INFINITY, NAN, -1e-30f};
    for (int i = 0; i < 8; i++) x[n - 8 + i] = last[i];
    from_float<<<(n + 127) / 128, 128>>>(x, narrow, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++) {
        int expected = encoded(f, x[i], true);
        bool good = narrow[i].__x == expected && __nv_cvt_float_to_fp8(x[i], __NV_SATFINITE, f.kind) == expected
                    && __nv_cvt_float_to_fp8(x[i], __NV_NOSAT, f.kind) == encoded(f, x[i], false)
                    && (x[i] != x[i] || __nv_cvt_double_to_fp8(x[i], __NV_SATFINITE, f.kind) == expected);
        if (!good && bad++ < 3) printf("%a: %#x, not %#x\n", x[i], narrow[i].__x, expected);
    }

    // Small whole numbers: nothing is rounded.
    float *sum = managed<float>(1);
    *sum = 0;
    for (int i = 0; i < 128; i++) codes[i] = T(i % 4), codes[128 + i] = T(i % 5 - 2.0);
    dot<<<1, 128>>>(codes, codes + 128, sum, 128);
    cudaDeviceSynchronize();
    float exact = 0;
    for (int i = 0; i < 128; i++) exact += 2.0f * ((127 - i) % 4) * (i % 5 - 2);
    bad += *sum != exact;

    float4 *in = managed<float4>(32), *back = managed<float4>(32);
    FOUR *packed = managed<FOUR>(32);
    float2 *pairs = managed<float2>(32);
    __half2 *halves = managed<__half2>(32);
    for (int i = 0; i < 32; i++) in[i] = make_float4(i % 3 - 1.0f, i % 7, -i % 5, 0.25f * (i % 2));
    fours<FOUR, PAIR><<<1, 32>>>(in, packed, back, pairs, halves);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; i++) {
        bad += back[i].x != in[i].x || back[i].y != in[i].y || back[i].z != in[i].z || back[i].w != in[i].w;
        bad += (packed[i].__x & 0xff) != T(in[i].x).__x || packed[i].__x >> 24 != T(in[i].w).__x;
        bad += pairs[i].x != in[i].y || pairs[i].y != in[i].w || __high2float(halves[i]) != in[i].w;
    }

    // Whole numbers, half and bfloat16; what a type cannot hold becomes the nearest that it can.
    bad += int(T(-3.5f)) != -3 || (unsigned char)T(-3.0f) != 0 || (signed char)T(256.0f) != 127 || bool(T(-0.0f)) || !bool(T(0.5));
    bad += T(__float2half(1.5f)).__x != T(1.5f).__x || T(__float2bfloat16(-6.0f)).__x != T(-6).__x || __half2float(__half(T(7))) != 7;
    bad += sizeof(T) != 1 || sizeof(PAIR) != 2 || sizeof(FOUR) != 4;
    return bad;
}

int main()
{
    int e4m3 = wrong<__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3>(formats[0]);
    int e5m2 = wrong<__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2>(formats[1]);
    printf("e4m3: %d wrong, e5m2: %d wrong\n", e4m3, e5m2);
    return e4m3 || e5m2 ? 1 : 0;
}
