// Intrinsics, and functions of mathematics that round or count.
// run: SIMT_SCHEDULE=0..3
// tier: more
#include "check.cuh"
#include <curand_kernel.h>

// Intrinsics against plain C++: bits, integers, floats, votes, shuffles, reductions. (Those of 32 bits that random kernels have, test_random.py tries.)
__device__ int in_global;
__constant__ int in_constant;
__global__ void bits(unsigned long long seed) {
    unsigned long long x = (seed + threadIdx.x) * 0x9E3779B97F4A7C15ull >> (2 * threadIdx.x);
    unsigned lo = (unsigned)x, hi = (unsigned)(x >> 32);
    __shared__ int shared;
    __builtin_assume(blockDim.x <= 1024);
    int ones = 0, first = 0, zeros = 64;
    unsigned long long reversed = 0;
    for (int i = 0; i < 64; ++i) {
        bool bit = x >> i & 1;
        ones += bit;
        if (bit && first == 0) first = i + 1;
        if (bit) zeros = 63 - i;
        reversed |= (unsigned long long)bit << (63 - i);
    }
    const Same table[] = {
        {__sad(-5, 3, 10u), 18u}, {__usad(3u, 0xffffffffu, 0u), 0xfffffffcu}, {__hadd(-3, 2), -1}, {__rhadd(-3, 2), 0}, {__uhadd(~0u, 2u), 0x80000000u}, {__urhadd(~0u, 2u), 0x80000001u},
        {__byte_perm(0x000000f0, 0, 0x8080), 0xf0f0f0f0u}, {__hiloint2double(__double2hiint(1.75), __double2loint(1.75)), 1.75},
        {__popcll(x), ones}, {__ffsll(x), first}, {__clzll(x), zeros}, {__brevll(x), reversed}, {__funnelshift_r(lo, hi, 8), hi << 24 | lo >> 8},
        {__funnelshift_lc(lo, hi, 40), lo}, {__funnelshift_rc(lo, hi, 40), hi}, {__funnelshift_lc(lo, hi, 8), hi << 8 | lo >> 24}, {__mul64hi(-(1LL << 62), 8), -2},
        {__mul24(-3, 7), -21}, {__umul24(lo, 5u), (lo & 0xffffff) * 5u}, {__mulhi((int)lo, 1 << 16), (int)lo >> 16}, {__umul64hi(x, 1ull << 32), x >> 32},
        {__isShared(&shared), 1u}, {__isGlobal(&shared), 0u}, {__isLocal(&x), 1u}, {__isGlobal(&in_global), 1u}, {__isConstant(&in_constant), 1u}, {__isConstant(&in_global), 0u},
        {min(3, (int)threadIdx.x), threadIdx.x < 3 ? (int)threadIdx.x : 3}};
    compare(table, __func__);
}

__device__ bool is_about(double is, double should, double error) { return fabs(is - should) < error; }

__global__ void floats(const float *x, const double *d, float *scratch) {
    const float a = __ldg(&x[threadIdx.x]), b = __ldcs(x + 31 - threadIdx.x), c = __ldcg(x);
    const double e = __ldcv(&d[threadIdx.x]);
    const bool close[] = {
        is_about(sinpif(0.5f), 1, 1e-6), is_about(cospif(1.0f), -1, 1e-6), is_about(cospi(0x1p40 + 0.25) * cospi(0.25f), 0.5, 1e-6),
        is_about(norm3df(2e30f, 3e30f, 6e30f) / 7e30f, 1, 1e-6), is_about(rhypotf(3e-30f, 4e-30f) / 2e29f, 1, 1e-6), is_about(normcdff(0), 0.5f, 1e-6),
        is_about(norm3df(2, 3, 6), 7, 1e-5), is_about(rhypotf(3, 4), 0.2f, 1e-6), is_about(rcbrtf(8), 0.5f, 1e-6), is_about(fdividef(1, 4), 0.25f, 1e-6),
        is_about(__expf(a / 32) / expf(a / 32), 1, 1e-5), is_about(__sinf(a), sinf(a), 1e-4), is_about(__cosf(a), cosf(a), 1e-4),
        is_about(__logf(a + 2) / logf(a + 2), 1, 1e-4), is_about(__powf(a, 1.5f) / powf(a, 1.5f), 1, 1e-4), is_about(rsqrtf(a) * sqrtf(a), 1, 1e-6)};
    __stcs(scratch + threadIdx.x, a);
    __stcg(&scratch[32 + threadIdx.x], b);
    int far = 0;
    for (bool is_close : close) far += !is_close;
    const Same table[] = {
        {far, 0}, {sinpif(1.0f), 0.0f}, {cospif(-2.5f), 0.0f}, {sinpi(d[0] - 1e300), 0.0}, {signbit(sinpi(-d[0])), true}, {sinpi(-1.5), 1.0},
        {__frsqrt_rn(0x1.00000ap+0f), 0x1.fffff6p-1f}, {__fadd_rn(a, b), a + b}, {__fmul_rn(a, b), a * b}, {__fdiv_rn(a, b), a / b},
        {__fsqrt_rn(a), sqrtf(a)}, {__frcp_rn(a), 1.0f / a}, {__fmaf_rn(a, b, c), fmaf(a, b, c)}, {__fma_rn(e, 2.0, 1.0), fma(e, 2.0, 1.0)},
        {__dadd_rn(e, 1.0), e + 1.0}, {__float_as_int(1.0f), 0x3f800000}, {__int_as_float(0x40000000), 2.0f}, {__uint_as_float(__float_as_uint(a)), a},
        {__longlong_as_double(__double_as_longlong(e)), e}, {__float2int_rn(2.5f), 2}, {__float2int_rz(-2.7f), -2}, {__float2int_rd(-2.2f), -3},
        {__float2int_ru(2.2f), 3}, {__double2int_rn(e + 0.5), (int)rint(e + 0.5)}, {__saturatef(a), a < 1 ? a : 1.0f}, {scratch[threadIdx.x], a}};
    compare(table, __func__);
}

// Nothing says which lanes are together in a branch that `all` have taken: but each is with himself, with nobody
// else, with the same as those are, and all are somewhere.
__device__ void together(unsigned all) {
    unsigned lane = threadIdx.x & 31, mask = __activemask();
    const Same table[] = {{mask >> lane & 1, 1u}, {mask & ~all, 0u}, {__match_any_sync(all, mask), mask}, {__reduce_or_sync(all, mask), all}};
    compare(table, __func__);
}

__global__ void warps() {
    const unsigned full = 0xffffffffu;
    int lane = threadIdx.x & 31, all = 0;
    together(full);
    const Same table[] = {
        {__shfl_sync(full, 3 * lane, 5), 15}, {__shfl_sync(full, lane, 2, 8), lane / 8 * 8 + 2}, {__shfl_up_sync(full, lane, 2), lane < 2 ? lane : lane - 2},
        {__shfl_down_sync(full, (long long)lane << 40, 4), (long long)(lane < 28 ? lane + 4 : lane) << 40}, {__shfl_xor_sync(full, 0.5 * lane, 1), 0.5 * (lane ^ 1)},
        {__shfl_xor_sync(full, (unsigned)lane, 16), (unsigned)lane ^ 16}, {__reduce_min_sync(full, lane - 9), -9}, {__reduce_max_sync(full, (unsigned)lane), 31u},
        {__match_all_sync(full, 12.5f, &all), full}, {all, 1}};
    compare(table, __func__);
    if (lane < 12) { // part of a warp
        together(0xfff);
        const Same part[] = {{__reduce_add_sync(0xfff, 1), 12}};
        compare(part, __func__);
    }
    __syncwarp();
}

static void intrinsics() {
    bits<<<1, 32>>>(20260101);
    floats<<<1, 32>>>(managed<float>(32, [](int i) { return 0.25f + 0.3f * i; }), managed<double>(32, [](int i) { return i / 3.0; }), managed<float>(64));
    warps<<<1, 64>>>();
}

// Arithmetic rounded up, down and towards zero, conversions that saturate, and functions of statistics and Bessel's.
__global__ void rounds(float *f, double *d, long long *w) {
    const float floats[] = {__fadd_rd(1, 1e-10f), __fadd_ru(1, 1e-10f), __fsub_rz(-1, 1e-10f), __fmul_ru(1.1f, 1.1f), __fmul_rd(1.1f, 1.1f),
                            __fdiv_rd(1, 3), __fdiv_ru(1, 3), __fsqrt_rd(2), __fmaf_ru(3, 1, 1e-10f), __double2float_rz(1.99999999999),
                            __int2float_rd(16777217), normcdfinvf(0.975f), erfinvf(0.5f), cyl_bessel_i0f(1)};
    const double doubles[] = {__dadd_ru(1, 1e-20), __dmul_rd(1.1, 1.1), __dmul_ru(1.1, 1.1), __ddiv_rz(1, -3), __dsqrt_ru(2), erfcinv(1e-10)};
    const long long whole[] = {__float2int_rz(3e9f), __float2uint_ru(2.1f), __double2ll_rd(-2.5), __double2int_rn(2.5), (long long)__double2ull_rz(-1.0)};
    memcpy(f, floats, sizeof floats), memcpy(d, doubles, sizeof doubles), memcpy(w, whole, sizeof whole);
}

__global__ void poisson(unsigned *sum) {
    curandStatePhilox4_32_10_t state;
    curand_init(1, threadIdx.x, 0, &state);
    atomicAdd(sum, curand_poisson(&state, 5.0));
}

static void rounding() {
    float *f = managed<float>(14);
    double *d = managed<double>(6);
    long long *w = managed<long long>(5);
    unsigned *sum = managed<unsigned>(1);
    rounds<<<1, 1>>>(f, d, w);
    poisson<<<1, 256>>>(sum);
    LEFT(f[0] == 1 && f[1] == std::nextafter(1.0f, 2.0f) && f[2] == -1);
    EXPECT(f[3] == std::nextafter(f[4], 2.0f) && f[4] <= 1.1f * (double)1.1f && f[3] > 1.1f * (double)1.1f);
    EXPECT(f[5] < 1 / 3.0 && f[6] > 1 / 3.0 && f[6] == std::nextafter(f[5], 1.0f));
    EXPECT(f[7] * (double)f[7] < 2 && f[8] == std::nextafter(3.0f, 4.0f) && f[9] < 2 && f[10] == 16777216);
    EXPECT(std::fabs(f[11] - 1.959964f) < 1e-5 && std::fabs(f[12] - 0.4769363f) < 1e-6 && std::fabs(f[13] - 1.266066f) < 1e-5);
    EXPECT(d[0] == std::nextafter(1.0, 2.0) && d[2] == std::nextafter(d[1], 2.0) && d[3] > -1 / 3.0L && d[4] * (long double)d[4] > 2);
    EXPECT(std::fabs(d[5] - 4.572824967389486) < 1e-12);
    EXPECT(w[0] == 2147483647 && w[1] == 3 && w[2] == -3 && w[3] == 2 && w[4] == 0);
    EXPECT(*sum > 1100 && *sum < 1460); // 1280 and five deviations
}

int main() {
    intrinsics(), rounding();
    return verdict();
}
