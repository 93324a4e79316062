// Numbers of 16 and of 8 bits.
// run: SIMT_SCHEDULE=0..3
// tier: more
#include "check.cuh"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <type_traits>

__global__ void haxpy(int n, half a, const half *x, half *y) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) y[i] = __hfma(a, x[i], y[i]);
}

__global__ void haxpy2(int n, half a, const half2 *x, half2 *y) {
    int start = threadIdx.x + blockDim.x * blockIdx.x, stride = blockDim.x * gridDim.x;
    half2 aa = __half2half2(a);
    for (int i = start; i < n / 2; i += stride) y[i] = __hfma2(aa, x[i], y[i]);
}

// Sums in half and in float.
__global__ void sums(const __half *x, int n, __half *in_half, float *in_float) {
    __half h = __float2half(0.0f);
    float f = 0;
    for (int i = threadIdx.x; i < n; i += 32) {
        h = h + x[i];
        f += __half2float(x[i]);
    }
    for (int d = 16; d > 0; d /= 2) {
        h += __shfl_down_sync(0xffffffffu, h, d);
        f += __shfl_down_sync(0xffffffffu, f, d);
    }
    if (threadIdx.x == 0) *in_half = h, *in_float = f;
}

__global__ void operators() {
    __half a = 1.5f, b = __float2half_rn(2.25f);
    __half2 v = __floats2half2_rn(1.0f, 2048.0f), w = make_half2(a, 1.0f);
    v = v + w;
    float2 f = __half22float2(__hmul2(w, w));
    const float sum = a + b;
    const Same table[] = {{sum, 3.75f}, {__half2float(a * b), 3.375f}, {__half2float(__hsub(a, b)), -0.75f}, {__half2float(a / b), 0.66650390625f},
                          {a < b && __hgt(b, a) && !__heq(a, b), 1}, {__half2float(-a), -1.5f}, {(float)__half2int_rn(b), 2}, {__half2float(hsqrt(b)), 1.5f},
                          {__low2float(v), 2.5f}, {__high2float(v), 2048}, // 2049 does not exist: it rounds to even
                          {f.x + f.y, 3.25f}, {(float)__half_as_ushort(__half(1.0f)), 0x3c00}, {__half2float(__float2half(65520.0f)), INFINITY}};
    compare(table, __func__);
}

static void half_precision() {
    const int n = 300;
    half *x = managed<half>(n, [](int) { return 1.0f; }), *y = managed<half>(n, [](int i) { return (float)i; }), *in_half = managed<half>(1);
    float *in_float = managed<float>(1);
    haxpy<<<(n + 127) / 128, 128>>>(n, __float2half(2.0f), x, y);
    haxpy2<<<1, 64>>>(n, __float2half(0.5f), (half2 *)x, (half2 *)y);
    sums<<<1, 32>>>(x, n, in_half, in_float);
    operators<<<1, 1>>>();
    EACH_LEFT(i, n, __half2float(y[i]) == i + 2.5f);
    EXPECT(__half2float(*in_half) == 300.0f && *in_float == 300.0f);
}

// Mixed precision as in training loops: bfloat16 and half values, sums in float; what the
// conversions do at the edges of both formats; all bit patterns there and back.
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
template <typename T> __global__ void there_and_back() {
    for (unsigned bits = blockIdx.x * blockDim.x + threadIdx.x; bits < 65536; bits += gridDim.x * blockDim.x) {
        float wide = (float)numbers<T>::of(bits);
        T back = numbers<T>::from(wide);
        bool nan = (bits & 0x7fff) > numbers<T>::infinity;
        if (nan ? !__hisnan(back) || wide == wide : numbers<T>::bits(back) != bits) atomicAdd(&failures, 1);
    }
}

// A dot product of pairs, in the pairs' own precision and in float.
__global__ void dot(const __nv_bfloat162 *a, const __nv_bfloat162 *b, int pairs, float *wide, __nv_bfloat162 *narrow) {
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

__global__ void add_up(half2 *total, nv_bfloat16 *other) {
    atomicAdd(total, __floats2half2_rn(1.0f, 0.5f));
    if (threadIdx.x < 8) atomicAdd(other, __float2bfloat16(2.0f));
}

__global__ void edges() {
    const half nan = __ushort_as_half(0x7fff), three = __float2half(3.0f);
    const float most = __hmax(nan, three);
    const half2 v = __halves2half2(three, __float2half(-4.0f)), w = __lowhigh2highlow(v);
    const Same table[] = {
        {__half2float(__float2half(65519.0f)), 65504}, {__half2float(__float2half(65520.0f)), INFINITY}, // below the tie to infinity, and there
        {__half2float(__float2half_rz(1e9f)), 65504},                                                    // not past the largest
        {__half2float(__float2half(ldexpf(1, -24) * 2.5f)), 2 * 0x1p-24f},                               // subnormal, to even
        {__bfloat162float(__float2bfloat16(257.0f)), 256},                                               // 8 bits
        {__bfloat162float(__double2bfloat16(257.0 + 1e-12)), 258},                                       // above the tie: no double rounding
        {__half2uint_rz(__float2half(-3.0f)), 0u},                                                       // the nearest that there is
        {__half2float(__float2half_ru(1.0f + 1.0f / 4096)), 1.0009765625f}, {__bfloat162float(__float2bfloat16_rd(-257.0f)), -258},
        {__half2int_rn(__float2half(2.5f)) + __half2int_ru(__float2half(2.5f)), 5}, {most, 3}, {__hisnan(__hmax_nan(nan, three)), true},
        {__hltu(nan, three) + 2 * __hlt(nan, three), 1}, {__low2float(h2sqrt(__habs2(w))) + __high2float(__hmin2(v, w)), 2 - 4},
        {(float)__heq2_mask(v, __lows2half2(v, w)), 4294967296.0f}, {__hbgt2(__high2half2(w), w) + 10 * __hbge2(__high2half2(w), w), 0 + 10},
        {__low2float(__hfma2_relu(v, w, v)) + __high2float(__hadd2_sat(v, -w * w)), 0},
        {__bfloat162float(hexp2(__float2bfloat16(5.0f))) + __half2float(hrcp(__float2half(4.0f))), 32.25f},
        {__half2float(CUDART_MAX_NORMAL_FP16) + __half2float(htrunc(__float2half(-1.75f))), 65504 - 1}};
    compare(table, __func__);
}

static void bfloat16() {
    there_and_back<__half><<<4, 128>>>();
    there_and_back<__nv_bfloat16><<<4, 128>>>();
    edges<<<1, 1>>>();
    const int pairs = 96;
    __nv_bfloat162 *a = managed<__nv_bfloat162>(pairs, [](int i) { return __floats2bfloat162_rn(1.0f + i % 3, 0.5f); }), *narrow = managed<__nv_bfloat162>(1);
    __nv_bfloat162 *b = managed<__nv_bfloat162>(pairs, [](int i) { return make_bfloat162(__float2bfloat16(2.0f), __int2bfloat16_rn(i % 4)); });
    half2 *total = managed<half2>(1);
    nv_bfloat16 *other = managed<nv_bfloat16>(1);
    float *wide = managed<float>(1);
    dot<<<1, 32>>>(a, b, pairs, wide, narrow);
    add_up<<<2, 32>>>(total, other);
    LEFT(*wide == 96 * 2 * 2 + 96 / 4 * 6 * 0.5f && __low2float(*narrow) == 384 && __high2float(*narrow) == 72);
    EXPECT(__low2float(*total) == 64 && __high2float(*total) == 32 && __bfloat162float(*other) == 32);
}

// half and bfloat16 in unions and structures that are copied as bytes: they are trivial types, as in
// CUDA. And what a function returns, straight to shared and global memory.
template <class T> constexpr bool trivial() {
    return std::is_trivially_copyable<T>::value && std::is_trivially_default_constructible<T>::value && std::is_trivially_copy_assignable<T>::value;
}
static_assert(trivial<half>() && trivial<__nv_bfloat16>(), "trivial types");

union Word {
    half h;
    __nv_bfloat16 b;
    unsigned short bits;
};

// Eight numbers by one load and one store, all else in registers.
__global__ void scale(const uint4 *in, uint4 *out, half factor) {
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

// A union with vectors in it is copied whole.
union Four {
    float4 v;
    float a[4];
};

__global__ void vectors(const float4 *in, Four *out) {
    Four u, w = {make_float4(0, 0, 0, 9)};
    u.v = in[threadIdx.x];
    u.a[3] = w.v.w, w = u;
    w.a[1] += u.v.x;
    out[threadIdx.x] = w;
    float4 all = out[threadIdx.x].v, *same = &out[threadIdx.x].v;
    same->x = all.y + all.w;
}

__device__ __noinline__ half opposite(half x) { return -x; }
__device__ __noinline__ const __nv_bfloat16 half_of(__nv_bfloat16 x) { return x * __float2bfloat16(0.5f); }

__global__ void returned(Word *words, __nv_bfloat16 *out) {
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

static void unions() {
    half *numbers = managed<half>(256, [](int i) { return (float)i; }), *scaled = managed<half>(256);
    scale<<<1, 32>>>((uint4 *)numbers, (uint4 *)scaled, __float2half(0.5f));
    Word *words = managed<Word>(64, [](int i) {
        Word w;
        w.h = __float2half((float)i);
        return w;
    });
    __nv_bfloat16 *halves = managed<__nv_bfloat16>(64);
    returned<<<1, 64>>>(words, halves);
    Four *to = managed<Four>(32);
    vectors<<<1, 32>>>(managed<float4>(32, [](int i) { return make_float4((float)i, 2, 0, 0); }), to);
    EACH_LEFT(i, 256, __half2float(scaled[i]) == i / 2.0f);
    EACH(i, 64, __half2float(words[i].h) == i - 63.0f && __bfloat162float(halves[i]) == (63 - i) / 2.0f);
    EACH(i, 32, to[i].a[0] == i + 11 && to[i].v.y == i + 2 && to[i].v.w == 9);
}

// Floats of 8 bits: all 256 codes against a table that is worked out here, floats against the nearest
// of its numbers, a sum of products whose inputs are kept in 8 bits, and pairs and fours of them.
struct Format {
    int fraction, bias, largest;    // the code of the largest number
    __nv_fp8_interpretation_t kind;
};
static const Format formats[] = {{3, 7, 0x7e, __NV_E4M3}, {2, 15, 0x7b, __NV_E5M2}};

// The number with these bits: NAN beyond the largest, but for the infinity of e5m2.
static float decoded(const Format &f, int code) {
    int magnitude = code & 0x7f, exponent = magnitude >> f.fraction, rest = magnitude & ((1 << f.fraction) - 1);
    float value = exponent ? ldexpf(1.0f + ldexpf((float)rest, -f.fraction), exponent - f.bias) : ldexpf((float)rest, 1 - f.bias - f.fraction);
    if (magnitude > f.largest) value = f.kind == __NV_E5M2 && magnitude == 0x7c ? INFINITY : NAN;
    return code & 0x80 ? -value : value;
}

// The code nearest to x, by looking at all of them: of two, the even one.
static int encoded(const Format &f, float x, bool saturates) {
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

template <class T> __global__ void to_float(const T *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = float(in[i]);
}

template <class T> __global__ void from_float(const float *in, T *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = T(in[i]);
}

// A function that returns one: its result goes straight to memory.
template <class T> __device__ __noinline__ T twice(T x) { return T(2.0f * float(x)); }

template <class T> __global__ void dot(const T *a, const T *b, float *sum, int n) {
    __shared__ T tile[128];
    tile[threadIdx.x] = twice(a[threadIdx.x]);
    __syncthreads();
    float own = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) own += (float)tile[n - 1 - i] * (float)b[i];
    for (int d = 16; d > 0; d /= 2) own += __shfl_down_sync(0xffffffffu, own, d);
    if (threadIdx.x % 32 == 0) atomicAdd(sum, own);
}

template <class FOUR, class PAIR> __global__ void fours(const float4 *in, FOUR *out, float4 *back, float2 *pairs, __half2 *halves) {
    int i = threadIdx.x;
    out[i] = FOUR(in[i]);
    back[i] = out[i].operator float4(); // float4(out[i]) is something else in C++20
    PAIR pair(make_float2(in[i].y, in[i].w));
    pairs[i] = pair.operator float2();
    halves[i] = __half2(PAIR(__half2(pair)));
}

template <class T, class PAIR, class FOUR> static void fp8(const Format &f) {
    T *codes = managed<T>(256);
    for (int i = 0; i < 256; i++) codes[i].__x = (unsigned char)i;
    float *values = managed<float>(256);
    to_float<<<2, 128>>>(codes, values);

    // Each number, the middles between neighbours, and what is just beside; then what is too large or too small.
    const int n = 2 * 128 * 5 + 8;
    const float last[] = {464, 465, 61439, 61440, 1e30f, INFINITY, NAN, -1e-30f};
    float *x = managed<float>(n, [&](int i) {
        if (i >= n - 8) return last[i - (n - 8)];
        const int code = i / 10;
        const float here = decoded(f, code <= f.largest ? code : f.largest), next = decoded(f, code < f.largest ? code + 1 : f.largest), middle = (here + next) / 2;
        const float choices[] = {here, middle, nextafterf(middle, 0), nextafterf(middle, INFINITY), here * 1.01f};
        return choices[i % 5] * (i / 5 % 2 ? -1 : 1);
    });
    T *narrow = managed<T>(n);
    from_float<<<(n + 127) / 128, 128>>>(x, narrow, n);

    // Small whole numbers: nothing is rounded.
    float *sum = managed<float>(1), exact = 0;
    T *a = managed<T>(128, [](int i) { return i % 4; }), *b = managed<T>(128, [](int i) { return i % 5 - 2.0; });
    dot<<<1, 128>>>(a, b, sum, 128);
    float4 *in = managed<float4>(32, [](int i) { return make_float4(i % 3 - 1.0f, i % 7, -i % 5, 0.25f * (i % 2)); }), *back = managed<float4>(32);
    FOUR *packed = managed<FOUR>(32);
    float2 *pairs = managed<float2>(32);
    __half2 *halves = managed<__half2>(32);
    fours<FOUR, PAIR><<<1, 32>>>(in, packed, back, pairs, halves);
    CHECK(cudaDeviceSynchronize());

    for (int i = 0; i < 256; i++) {
        const float expected = decoded(f, i);
        EXPECT(expected != expected ? values[i] != values[i] : values[i] == expected && std::signbit(values[i]) == std::signbit(expected));
        __half half = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)i, f.kind);
        EXPECT(expected != expected || __half2float(half) == expected);
    }
    for (int i = 0; i < n; i++) {
        const int expected = encoded(f, x[i], true);
        EXPECT(narrow[i].__x == expected && __nv_cvt_float_to_fp8(x[i], __NV_SATFINITE, f.kind) == expected);
        EXPECT(__nv_cvt_float_to_fp8(x[i], __NV_NOSAT, f.kind) == encoded(f, x[i], false));
        EXPECT(x[i] != x[i] || __nv_cvt_double_to_fp8(x[i], __NV_SATFINITE, f.kind) == expected);
    }
    for (int i = 0; i < 128; i++) exact += 2.0f * ((127 - i) % 4) * (i % 5 - 2);
    EXPECT(*sum == exact);
    for (int i = 0; i < 32; i++) {
        EXPECT(back[i].x == in[i].x && back[i].y == in[i].y && back[i].z == in[i].z && back[i].w == in[i].w);
        EXPECT((packed[i].__x & 0xff) == T(in[i].x).__x && packed[i].__x >> 24 == T(in[i].w).__x);
        EXPECT(pairs[i].x == in[i].y && pairs[i].y == in[i].w && __high2float(halves[i]) == in[i].w);
    }

    // Whole numbers, half and bfloat16; what a type cannot hold becomes the nearest that it can.
    EXPECT(int(T(-3.5f)) == -3 && (unsigned char)T(-3.0f) == 0 && (signed char)T(256.0f) == 127 && !bool(T(-0.0f)) && bool(T(0.5)));
    EXPECT(T(__float2half(1.5f)).__x == T(1.5f).__x && T(__float2bfloat16(-6.0f)).__x == T(-6).__x && __half2float(__half(T(7))) == 7);
    EXPECT(sizeof(T) == 1 && sizeof(PAIR) == 2 && sizeof(FOUR) == 4);
}

int main() {
    half_precision(), bfloat16(), unions();
    fp8<__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3>(formats[0]);
    fp8<__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2>(formats[1]);
    return verdict();
}
