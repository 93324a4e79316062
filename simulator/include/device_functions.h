/* device_functions.h: what kernels call: barriers, fences, warp primitives, arithmetic that CUDA
   has and C++ has not. */
#pragma once

#include "cuda_runtime.h"

/* A function whose name a C library may have one day is a template, so that the library's is
   preferred. R: what it returns. NONE, always empty, makes other templates of the name match
   better. */
template <class _R, class... _NONE> struct simt_own {
};
template <class _R> struct simt_own<_R> {
    typedef _R type;
};
#define SIMT_OWN(R) SIMT_INLINE typename simt_own<R, _NONE...>::type

/* ---- barriers and fences ---- */

SIMT_INLINE void __syncthreads() { simt_block_barrier(0); }
SIMT_INLINE bool simt_watched(bool taken, unsigned barriers)
{
    return __builtin_constant_p(taken) ? taken : simt_branch(taken, barriers);
}
SIMT_INLINE int __syncthreads_count(int p) { return simt_block_barrier(p != 0); }
SIMT_INLINE int __syncthreads_or(int p) { return simt_block_barrier(p != 0) > 0; }
SIMT_INLINE int __syncthreads_and(int p) { return simt_block_barrier(p == 0) == 0; }
SIMT_INLINE void __syncwarp(unsigned mask = 0xffffffffu)
{
    simt_warp_op(SIMT_SYNC, mask, 0, 0, 32);
}
/* One host thread runs everything, in order but for older values (weak_memory.c). A fence says what
   it makes known (happens_before.c); a call keeps accesses on their side. */
SIMT_INLINE void __threadfence() { simt_fence(SIMT_OF_THE_DEVICE); }
SIMT_INLINE void __threadfence_block() { simt_fence(SIMT_OF_THE_BLOCK); }
SIMT_INLINE void __threadfence_system() { simt_fence(SIMT_OF_THE_SYSTEM); }
SIMT_INLINE void __nanosleep(unsigned) { simt_yield(); }
SIMT_INLINE void __trap() { simt_trap(); }
/* No time: a count that only moves forward. rewrite.c sends clock() here as well. */
template <class... _NONE> SIMT_OWN(long long) clock64(_NONE...) { return simt_clock(); }

/* Launches never overlap here. */
SIMT_INLINE void cudaGridDependencySynchronize() {}
SIMT_INLINE void cudaTriggerProgrammaticLaunchCompletion() {}

/* ---- clusters ---- */

SIMT_INLINE dim3 __clusterDim() { return simt_cluster_dim; }
SIMT_INLINE unsigned __clusterSizeInBlocks()
{
    return simt_cluster_dim.x * simt_cluster_dim.y * simt_cluster_dim.z;
}
#define SIMT_BY_CLUSTER(NAME, WHAT, OP)                                                            \
    SIMT_INLINE dim3 NAME()                                                                        \
    {                                                                                              \
        uint3 b = WHAT, c = simt_cluster_dim;                                                      \
        return {b.x OP c.x, b.y OP c.y, b.z OP c.z};                                               \
    }
SIMT_BY_CLUSTER(__clusterIdx, blockIdx, /)
SIMT_BY_CLUSTER(__clusterRelativeBlockIdx, blockIdx, %)
SIMT_BY_CLUSTER(__clusterGridDimInClusters, gridDim, /)
SIMT_INLINE unsigned __clusterRelativeBlockRank()
{
    dim3 at = __clusterRelativeBlockIdx();
    return at.x + simt_cluster_dim.x * (at.y + simt_cluster_dim.y * at.z);
}
SIMT_INLINE void __cluster_barrier_arrive() { simt_cluster_arrive(false); }
SIMT_INLINE void __cluster_barrier_arrive_relaxed() { simt_cluster_arrive(true); }
SIMT_INLINE void __cluster_barrier_wait() { simt_cluster_wait(); }
SIMT_INLINE void *__cluster_map_shared_rank(const void *p, unsigned rank)
{
    return simt_cluster_map(p, rank);
}
SIMT_INLINE unsigned __cluster_query_shared_rank(const void *p) { return simt_cluster_query(p); }

/* ---- warp primitives ---- */

template <class T> SIMT_INLINE uint64_t simt_bits(T value)
{
    static_assert(sizeof(T) <= 8, "shuffles and matches take types of at most 8 bytes");
    uint64_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof value);
    return bits;
}
template <class T> SIMT_INLINE T simt_value(uint64_t bits)
{
    T value;
    __builtin_memcpy((void *)&value, &bits, sizeof value);
    return value;
}

/* Of these CUDA has shuffles: numbers, half and bfloat16 and their pairs (simt_float16.h). */
template <class T>
struct simt_is_number
    : std::integral_constant<bool, std::is_arithmetic<T>::value || std::is_enum<T>::value> {
};

#define SIMT_SHUFFLE(NAME, OP, ARGUMENT)                                                           \
    template <class T>                                                                             \
    SIMT_INLINE T NAME(unsigned mask, T value, ARGUMENT argument, int width = 32)                  \
    {                                                                                              \
        static_assert(simt_is_number<T>::value,                                                    \
                      #NAME "() takes numbers, half and bfloat16: a structure goes by the shfl() " \
                            "of a cooperative group");                                             \
        return simt_value<T>(                                                                      \
            simt_warp_op(OP, mask, simt_bits(value), (unsigned)argument, (unsigned)width));        \
    }
SIMT_SHUFFLE(__shfl_sync, SIMT_SHFL, int)
SIMT_SHUFFLE(__shfl_up_sync, SIMT_SHFL_UP, unsigned)
SIMT_SHUFFLE(__shfl_down_sync, SIMT_SHFL_DOWN, unsigned)
SIMT_SHUFFLE(__shfl_xor_sync, SIMT_SHFL_XOR, int)

#define SIMT_VOTE(T, NAME, OP)                                                                     \
    SIMT_INLINE T NAME(unsigned mask, int p) { return (T)simt_warp_op(OP, mask, p != 0, 0, 32); }
SIMT_VOTE(int, __any_sync, SIMT_ANY)
SIMT_VOTE(int, __all_sync, SIMT_ALL)
SIMT_VOTE(unsigned, __ballot_sync, SIMT_BALLOT)
SIMT_INLINE unsigned __activemask() { return simt_active_mask(); }

template <class T> SIMT_INLINE unsigned __match_any_sync(unsigned mask, T value)
{
    return (unsigned)simt_warp_op(SIMT_MATCH_ANY, mask, simt_bits(value), 0, 32);
}
template <class T> SIMT_INLINE unsigned __match_all_sync(unsigned mask, T value, int *all_equal)
{
    unsigned lanes = (unsigned)simt_warp_op(SIMT_MATCH_ALL, mask, simt_bits(value), 0, 32);
    *all_equal = lanes != 0;
    return lanes;
}

/* FLIP: the sign bit of int, which then sorts as unsigned does. */
#define SIMT_REDUCE(NAME, OP, T, FLIP)                                                             \
    SIMT_INLINE T NAME(unsigned mask, T value)                                                     \
    {                                                                                              \
        return (T)((unsigned)simt_warp_op(OP, mask, (unsigned)value ^ FLIP, 0, 32) ^ FLIP);        \
    }
SIMT_REDUCE(__reduce_add_sync, SIMT_REDUCE_ADD, int, 0u)
SIMT_REDUCE(__reduce_add_sync, SIMT_REDUCE_ADD, unsigned, 0u)
SIMT_REDUCE(__reduce_min_sync, SIMT_REDUCE_MIN, int, 0x80000000u)
SIMT_REDUCE(__reduce_min_sync, SIMT_REDUCE_MIN, unsigned, 0u)
SIMT_REDUCE(__reduce_max_sync, SIMT_REDUCE_MAX, int, 0x80000000u)
SIMT_REDUCE(__reduce_max_sync, SIMT_REDUCE_MAX, unsigned, 0u)
SIMT_REDUCE(__reduce_and_sync, SIMT_REDUCE_AND, unsigned, 0u)
SIMT_REDUCE(__reduce_or_sync, SIMT_REDUCE_OR, unsigned, 0u)
SIMT_REDUCE(__reduce_xor_sync, SIMT_REDUCE_XOR, unsigned, 0u)

/* ---- loads and stores that name a cache: there is none here ---- */

#define SIMT_LOAD(NAME)                                                                            \
    template <class T> SIMT_INLINE T NAME(const T *p) { return *p; }
#define SIMT_LOAD_READ_ONLY(NAME)                                                                  \
    template <class T> SIMT_INLINE T NAME(const T *p)                                              \
    {                                                                                              \
        simt_read_only(p, sizeof *p);                                                              \
        return *p;                                                                                 \
    }
#define SIMT_STORE(NAME)                                                                           \
    template <class T> SIMT_INLINE void NAME(T *p, T value) { *p = value; }
SIMT_LOAD_READ_ONLY(__ldg)
SIMT_LOAD(__ldca)
SIMT_LOAD(__ldcg)
SIMT_LOAD(__ldcs)
SIMT_LOAD(__ldcv)
SIMT_LOAD(__ldlu)
SIMT_STORE(__stwb)
SIMT_STORE(__stcg)
SIMT_STORE(__stcs)
SIMT_STORE(__stwt)

/* ---- inline PTX (../extras/ptx.c) ---- */

/* A register has bits and no type: of the same size they are taken over, else the value is. */
template <class T, class _V> SIMT_INLINE T simt_ptx_as(_V value)
{
    T result;
    if (sizeof(T) == sizeof(_V))
        __builtin_memcpy((void *)&result, &value, sizeof result);
    else
        result = (T)value;
    return result;
}
/* Of a pointer the address. */
template <class T, class _V> SIMT_INLINE T simt_ptx_as(_V *value) { return (T)(uintptr_t)value; }
template <class T, class _V> SIMT_INLINE void simt_ptx_set(T &to, _V value)
{
    to = simt_ptx_as<T>(value);
}
SIMT_INLINE unsigned simt_bfe(unsigned x, unsigned from, unsigned bits)
{
    return from > 31 || bits == 0 ? 0 : x >> from & (bits > 31 ? ~0u : (1u << bits) - 1);
}
SIMT_INLINE unsigned simt_bfi(unsigned field, unsigned x, unsigned from, unsigned bits)
{
    unsigned mask = from > 31 || bits == 0 ? 0 : (bits > 31 ? ~0u : (1u << bits) - 1) << from;
    return mask == 0 ? x : (x & ~mask) | (field << from & mask);
}
/* Bit 4 a + 2 b + c of the table is what comes of those bits. */
SIMT_INLINE unsigned simt_lop3(unsigned a, unsigned b, unsigned c, unsigned table)
{
    unsigned result = 0;
    for (unsigned i = 0; i < 8; i++)
        result |=
            (table >> i & 1 ? ~0u : 0) & (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
    return result;
}
/* From shfl's operand c: bits 8 to 12 are ones where lanes of one segment agree. */
SIMT_INLINE int simt_ptx_width(unsigned c) { return 32 - (int)(c >> 8 & 31); }
SIMT_INLINE unsigned simt_rank_in_block()
{
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
/* The predicate that shfl gives: kind is u(p), d(own), b(fly) or i(dx). */
SIMT_INLINE bool simt_ptx_in_segment(char kind, unsigned by, unsigned c)
{
    unsigned lane = simt_rank_in_block() % 32, segment = c >> 8 & 31, limit = c & 31;
    unsigned most = (lane & segment) | (limit & ~segment);
    return kind == 'u'   ? (int)(lane - by) >= (int)most
           : kind == 'd' ? lane + by <= most
           : kind == 'b' ? (lane ^ by) <= most
                         : ((lane & segment) | (by & ~segment)) <= most;
}

SIMT_INLINE size_t __cvta_generic_to_shared(const void *p) { return simt_to_shared(p); }
SIMT_INLINE unsigned __isGlobal(const void *p) { return simt_memory(p) == 'g'; }
SIMT_INLINE unsigned __isShared(const void *p) { return simt_memory(p) == 's'; }
SIMT_INLINE unsigned __isConstant(const void *p) { return simt_memory(p) == 'c'; }
SIMT_INLINE unsigned __isLocal(const void *p) { return simt_memory(p) == 'l'; }
SIMT_INLINE void *__cvta_shared_to_generic(size_t address) { return simt_from_shared(address); }
SIMT_INLINE size_t __cvta_generic_to_global(const void *p) { return (size_t)p; }
SIMT_INLINE void *__cvta_global_to_generic(size_t address) { return (void *)address; }
/* cp.async: from `given` on the bytes are 0. */
SIMT_INLINE void simt_cp_async(void *to, const void *from, size_t bytes, size_t given)
{
    if (given >= bytes)
        simt_async_copy(to, from, bytes);
    for (size_t i = 0; given < bytes && i < bytes; i++)
        ((char *)to)[i] = i < given ? ((const char *)from)[i] : 0;
}

/* ---- bits and integers ---- */

SIMT_INLINE int __popc(unsigned x) { return __builtin_popcount(x); }
SIMT_INLINE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
SIMT_INLINE int __ffs(int x) { return __builtin_ffs(x); }
SIMT_INLINE int __ffsll(long long x) { return __builtin_ffsll(x); }
SIMT_INLINE int __clz(int x) { return x == 0 ? 32 : __builtin_clz((unsigned)x); }
SIMT_INLINE int __clzll(long long x)
{
    return x == 0 ? 64 : __builtin_clzll((unsigned long long)x);
}
SIMT_INLINE unsigned __brev(unsigned x)
{
    x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
    x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
    return __builtin_bswap32(x);
}
SIMT_INLINE unsigned long long __brevll(unsigned long long x)
{
    return (unsigned long long)__brev((unsigned)x) << 32 | __brev((unsigned)(x >> 32));
}
SIMT_INLINE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift)
{
    return (unsigned)(((uint64_t)high << 32 | low) << (shift & 31) >> 32);
}
SIMT_INLINE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift)
{
    return (unsigned)(((uint64_t)high << 32 | low) >> (shift & 31));
}
/* By 32 at most, not by the remainder. */
SIMT_INLINE unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift)
{
    return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
SIMT_INLINE unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift)
{
    return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}
/* PTX's prmt: four of eight bytes, each chosen by 4 bits; the highest: its sign, eight times. */
SIMT_INLINE unsigned simt_prmt(unsigned low, unsigned high, unsigned selector)
{
    uint64_t bytes = (uint64_t)high << 32 | low;
    unsigned result = 0;
    for (unsigned i = 0; i < 4; i++) {
        unsigned choice = selector >> 4 * i & 15,
                 byte = (unsigned)(bytes >> 8 * (choice & 7)) & 255;
        result |= (choice & 8 ? (byte & 128 ? 255u : 0u) : byte) << 8 * i;
    }
    return result;
}
/* Has no signs: nvcc clears the highest bits of the choices. */
SIMT_INLINE unsigned __byte_perm(unsigned low, unsigned high, unsigned selector)
{
    return simt_prmt(low, high, selector & 0x7777);
}
/* The n-th set bit from there, up or downwards; n 0: that bit itself. ~0u: there is none. */
SIMT_INLINE unsigned __fns(unsigned mask, unsigned base, int n)
{
    int step = n < 0 ? -1 : 1, left = n < 0 ? -n : n;
    for (int i = (int)base; i >= 0 && i < 32; i += step)
        if ((mask >> i & 1) && (left == 0 || --left == 0))
            return (unsigned)i;
        else if (left == 0)
            break;
    return ~0u;
}
SIMT_INLINE int __mul24(int a, int b)
{
    int low_a = (int)((unsigned)a << 8) >> 8, low_b = (int)((unsigned)b << 8) >> 8;
    return (int)((unsigned)low_a * (unsigned)low_b);
}
SIMT_INLINE unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }
SIMT_INLINE int __mulhi(int a, int b) { return (int)((int64_t)a * b >> 32); }
SIMT_INLINE unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((uint64_t)a * b >> 32); }
SIMT_INLINE unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}
SIMT_INLINE long long __mul64hi(long long a, long long b)
{
    return (long long)((__int128)a * b >> 64);
}
SIMT_INLINE unsigned __sad(int a, int b, unsigned sum)
{
    return sum + (a > b ? (unsigned)a - (unsigned)b : (unsigned)b - (unsigned)a);
}
SIMT_INLINE unsigned __usad(unsigned a, unsigned b, unsigned sum)
{
    return sum + (a > b ? a - b : b - a);
}
SIMT_INLINE int __hadd(int a, int b) { return (int)(((int64_t)a + b) >> 1); }
SIMT_INLINE int __rhadd(int a, int b) { return (int)(((int64_t)a + b + 1) >> 1); }
SIMT_INLINE unsigned __uhadd(unsigned a, unsigned b) { return (unsigned)(((uint64_t)a + b) >> 1); }
SIMT_INLINE unsigned __urhadd(unsigned a, unsigned b)
{
    return (unsigned)(((uint64_t)a + b + 1) >> 1);
}
template <class _A, class _B, class... _NONE> SIMT_OWN(unsigned) umin(_A a, _B b, _NONE...)
{
    return (unsigned)a < (unsigned)b ? (unsigned)a : (unsigned)b;
}
template <class _A, class _B, class... _NONE> SIMT_OWN(unsigned) umax(_A a, _B b, _NONE...)
{
    return (unsigned)a > (unsigned)b ? (unsigned)a : (unsigned)b;
}
template <class _A, class _B> static constexpr std::common_type_t<_A, _B> min(_A a, _B b)
{
    return b < a ? b : a;
}
template <class _A, class _B> static constexpr std::common_type_t<_A, _B> max(_A a, _B b)
{
    return a < b ? b : a;
}

/* ---- floating point. The fast forms are the exact ones here. ---- */

SIMT_INLINE float __int_as_float(int x) { return simt_value<float>((unsigned)x); }
SIMT_INLINE int __float_as_int(float x) { return (int)simt_bits(x); }
SIMT_INLINE float __uint_as_float(unsigned x) { return simt_value<float>(x); }
SIMT_INLINE unsigned __float_as_uint(float x) { return (unsigned)simt_bits(x); }
SIMT_INLINE double __longlong_as_double(long long x) { return simt_value<double>((uint64_t)x); }
SIMT_INLINE long long __double_as_longlong(double x) { return (long long)simt_bits(x); }

SIMT_INLINE double __hiloint2double(int high, int low)
{
    return __longlong_as_double((long long)((uint64_t)(unsigned)high << 32 | (unsigned)low));
}
SIMT_INLINE int __double2hiint(double x) { return (int)(__double_as_longlong(x) >> 32); }
SIMT_INLINE int __double2loint(double x) { return (int)__double_as_longlong(x); }

#define SIMT_ROUND_TO_NEAREST(T, PREFIX, SUFFIX)                                                   \
    SIMT_INLINE T __##PREFIX##add_rn(T a, T b) { return a + b; }                                   \
    SIMT_INLINE T __##PREFIX##sub_rn(T a, T b) { return a - b; }                                   \
    SIMT_INLINE T __##PREFIX##mul_rn(T a, T b) { return a * b; }                                   \
    SIMT_INLINE T __##PREFIX##div_rn(T a, T b) { return a / b; }                                   \
    SIMT_INLINE T __##PREFIX##rcp_rn(T a) { return 1 / a; }                                        \
    SIMT_INLINE T __##PREFIX##sqrt_rn(T a) { return sqrt##SUFFIX(a); }
SIMT_ROUND_TO_NEAREST(float, f, f)
SIMT_ROUND_TO_NEAREST(double, d, )
SIMT_INLINE float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
SIMT_INLINE double __fma_rn(double a, double b, double c) { return fma(a, b, c); }
SIMT_INLINE float __frsqrt_rn(float x) { return (float)(1 / sqrt((double)x)); }
SIMT_INLINE float __fdividef(float a, float b) { return a / b; }
/* Macros, for glibc declares functions of these names. */
#define __sinf    sinf
#define __cosf    cosf
#define __tanf    tanf
#define __sincosf sincosf
#define __expf    expf
#define __exp10f  exp10f
#define __logf    logf
#define __log2f   log2f
#define __log10f  log10f
#define __powf    powf

/* sin(pi x), or cos(pi x) if a quarter of a turn is added: exact where it is 0, 1 or -1. */
SIMT_INLINE double simt_sin_pi(double x, int quarters)
{
    if (x - x != 0)
        return x - x;                  /* infinities and NaN: NaN */
    double turn = x - 2 * rint(x / 2); /* exact, as all but the last product is */
    double half = rint(2 * turn), rest = M_PI * (turn - half / 2);
    int quarter = (int)half + quarters;
    double value = quarter & 1 ? cos(rest) : sin(rest);
    if (value == 0)
        return quarters ? 0 : copysign(0, x);
    return quarter & 2 ? -value : value;
}

/* One for float, with f after its name, and one for double and float. X: of the doubles x, y, z. */
template <class T>
using simt_real = typename std::conditional<std::is_same<T, float>::value, float, double>::type;
#define SIMT_LIST(...) __VA_ARGS__
#define SIMT_OWN_AS(NAME, T, TYPES, PARAMETERS, DOUBLES, X)                                        \
    template <SIMT_LIST TYPES, class... _NONE> SIMT_OWN(T) NAME(SIMT_LIST PARAMETERS, _NONE...)    \
    {                                                                                              \
        double SIMT_LIST DOUBLES;                                                                  \
        return (T)(X);                                                                             \
    }
#define SIMT_OWN_1_AS(NAME, T, X) SIMT_OWN_AS(NAME, T, (class _A), (_A a), (x = (T)a), X)
#define SIMT_OWN_1(NAME, X)                                                                        \
    SIMT_OWN_1_AS(NAME##f, float, X)                                                               \
    SIMT_OWN_1_AS(NAME, simt_real<_A>, X)
#define SIMT_OWN_2(NAME, T, X)                                                                     \
    SIMT_OWN_AS(NAME, T, (class _A, class _B), (_A a, _B b), (x = (T)a, y = (T)b), X)
#define SIMT_OWN_3(NAME, T, X)                                                                     \
    SIMT_OWN_AS(NAME, T, (class _A, class _B, class _C), (_A a, _B b, _C c),                       \
                (x = (T)a, y = (T)b, z = (T)c), X)
/* The x whose erf(), or erfc(), is y: halves, then Newton's steps. */
SIMT_INLINE double simt_erf_inverse(double y, bool complement)
{
    double low = complement ? -6 : 0, high = complement ? 28 : 6, sign = 1;
    if (!complement && y < 0)
        sign = -1, y = -y;
    if (!(y >= 0) || y > (complement ? 2 : 1))
        return __builtin_nan("");
    if (y == (complement ? 2 : 1) || (complement && y == 0))
        return sign * (complement && y > 1 ? -1 : 1) * __builtin_inf();
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (complement ? erfc(middle) > y : erf(middle) < y)
            low = middle;
        else
            high = middle;
    }
    for (int i = 0; i < 3; i++) {
        double slope = 2 / sqrt(M_PI) * exp(-low * low);
        low -= complement ? (y - erfc(low)) / slope : (erf(low) - y) / slope;
    }
    return sign * low;
}
/* Modified Bessel functions of order 0 and 1: their power series. */
SIMT_INLINE double simt_bessel_i(double x, int order)
{
    double term = order == 0 ? 1 : x / 2, sum = term;
    for (int k = 1; term != 0 && k < 1000; k++) {
        term *= x * x / 4 / k / (k + order);
        sum += term;
    }
    return sum;
}
SIMT_OWN_1(normcdf, erfc(-x *M_SQRT1_2) / 2)
SIMT_OWN_1(normcdfinv, -M_SQRT2 *simt_erf_inverse(2 * x, true))
SIMT_OWN_1(erfinv, simt_erf_inverse(x, false))
SIMT_OWN_1(erfcinv, simt_erf_inverse(x, true))
SIMT_OWN_1(erfcx, x > 25 ? 1 / (x * sqrt(M_PI)) : exp(x * x) * erfc(x))
SIMT_OWN_1(cyl_bessel_i0, simt_bessel_i(x, 0))
SIMT_OWN_1(cyl_bessel_i1, simt_bessel_i(x, 1))
SIMT_OWN_1(rsqrt, 1 / sqrt(x))
SIMT_OWN_1(rcbrt, 1 / cbrt(x))
SIMT_OWN_1(sinpi, simt_sin_pi(x, 0))
SIMT_OWN_1(cospi, simt_sin_pi(x, 1))
SIMT_OWN_2(fdividef, float, (float)x / (float)y)
SIMT_OWN_2(rhypotf, float, 1 / hypot(x, y))
SIMT_OWN_2(rhypot, double, 1 / hypot(x, y))
SIMT_OWN_3(norm3df, float, hypot(hypot(x, y), z))
SIMT_OWN_3(norm3d, double, hypot(hypot(x, y), z))
SIMT_OWN_3(rnorm3df, float, 1 / hypot(hypot(x, y), z))
SIMT_OWN_3(rnorm3d, double, 1 / hypot(hypot(x, y), z))
template <class _A, class... _NONE> SIMT_OWN(void) sincospif(_A a, float *s, float *c, _NONE...)
{
    *s = (float)simt_sin_pi((float)a, 0), *c = (float)simt_sin_pi((float)a, 1);
}
template <class _A, class T, class... _NONE> SIMT_OWN(void) sincospi(_A a, T *s, T *c, _NONE...)
{
    *s = (T)simt_sin_pi(a, 0), *c = (T)simt_sin_pi(a, 1);
}
SIMT_INLINE float __saturatef(float x) { return x > 0 ? (x < 1 ? x : 1) : 0; }

/* Rounded towards zero, down and up: by the nearest result and the sign of what that lacks. */
template <class T> SIMT_INLINE T simt_rounded(T nearest, T missing, int mode)
{
    const T most = std::numeric_limits<T>::infinity();
    bool up = mode == 3 || (mode == 1 && nearest < 0);
    if (!(nearest > -most && nearest < most) || missing == 0 || (missing > 0) != up)
        return nearest;
    return std::nextafter(nearest, up ? most : -most);
}
template <class T> SIMT_INLINE T simt_missing_to_sum(T a, T b, T sum)
{
    T of_b = sum - a, of_a = sum - of_b;
    return (a - of_a) + (b - of_b); /* Knuth's two-sum: exact */
}
#define SIMT_ROUNDED(NAME, T, PARAMETERS, NEAREST, MISSING)                                        \
    SIMT_ROUNDED_AS(NAME##_rz, T, PARAMETERS, NEAREST, MISSING, 1)                                 \
    SIMT_ROUNDED_AS(NAME##_rd, T, PARAMETERS, NEAREST, MISSING, 2)                                 \
    SIMT_ROUNDED_AS(NAME##_ru, T, PARAMETERS, NEAREST, MISSING, 3)
#define SIMT_ROUNDED_AS(NAME, T, PARAMETERS, NEAREST, MISSING, MODE)                               \
    SIMT_INLINE T NAME PARAMETERS                                                                  \
    {                                                                                              \
        T r = NEAREST;                                                                             \
        return simt_rounded<T>(r, (T)(MISSING), MODE);                                             \
    }
#define SIMT_ROUNDED_ARITHMETIC(PREFIX, SUFFIX, T)                                                 \
    SIMT_ROUNDED(PREFIX##add, T, (T a, T b), a + b, simt_missing_to_sum<T>(a, b, r))               \
    SIMT_ROUNDED(PREFIX##sub, T, (T a, T b), a - b, simt_missing_to_sum<T>(a, -b, r))              \
    SIMT_ROUNDED(PREFIX##mul, T, (T a, T b), a *b, fma##SUFFIX(a, b, -r))                          \
    SIMT_ROUNDED(PREFIX##div, T, (T a, T b), a / b, fma##SUFFIX(-r, b, a) * (b < 0 ? -1 : 1))      \
    SIMT_ROUNDED(PREFIX##sqrt, T, (T a), sqrt##SUFFIX(a), fma##SUFFIX(-r, r, a))                   \
    SIMT_ROUNDED(PREFIX##rcp, T, (T a), 1 / a, fma##SUFFIX(-r, a, 1) * (a < 0 ? -1 : 1))
SIMT_ROUNDED_ARITHMETIC(__f, f, float)
SIMT_ROUNDED_ARITHMETIC(__d, , double)
SIMT_ROUNDED(__fmaf, float, (float a, float b, float c), fmaf(a, b, c),
             ((long double)a * b + c > r) - ((long double)a * b + c < r))
SIMT_ROUNDED(__fma, double, (double a, double b, double c), fma(a, b, c),
             ((long double)a * b + c > r) - ((long double)a * b + c < r))
#define SIMT_ROUNDED_CONVERSION(NAME, F, T)                                                        \
    SIMT_ROUNDED(NAME, T, (F a), (T)a, ((long double)a > r) - ((long double)a < r))
SIMT_ROUNDED_CONVERSION(__double2float, double, float)
SIMT_ROUNDED_CONVERSION(__int2float, int, float)
SIMT_ROUNDED_CONVERSION(__uint2float, unsigned, float)
SIMT_ROUNDED_CONVERSION(__ll2float, long long, float)
SIMT_ROUNDED_CONVERSION(__ull2float, unsigned long long, float)
SIMT_ROUNDED_CONVERSION(__ll2double, long long, double)
SIMT_ROUNDED_CONVERSION(__ull2double, unsigned long long, double)
SIMT_INLINE float __ll2float_rn(long long x) { return (float)x; }
SIMT_INLINE float __ull2float_rn(unsigned long long x) { return (float)x; }
SIMT_INLINE double __ll2double_rn(long long x) { return (double)x; }
SIMT_INLINE double __ull2double_rn(unsigned long long x) { return (double)x; }
SIMT_INLINE double __uint2double_rn(unsigned x) { return x; }

/* To whole numbers; what is too large becomes the largest, and what is no number 0. */
template <class T, class _F> SIMT_INLINE T simt_whole(_F x)
{
    const _F least = (_F)std::numeric_limits<T>::min(), most = (_F)std::numeric_limits<T>::max();
    return x != x       ? 0
           : x <= least ? std::numeric_limits<T>::min()
           : x >= most  ? std::numeric_limits<T>::max()
                        : (T)x;
}
#define SIMT_TO_WHOLE(NAME, F, T)                                                                  \
    SIMT_INLINE T NAME##_rn(F x) { return simt_whole<T>(rint(x)); }                                \
    SIMT_INLINE T NAME##_rz(F x) { return simt_whole<T>(trunc(x)); }                               \
    SIMT_INLINE T NAME##_rd(F x) { return simt_whole<T>(floor(x)); }                               \
    SIMT_INLINE T NAME##_ru(F x) { return simt_whole<T>(ceil(x)); }
SIMT_TO_WHOLE(__float2int, float, int)
SIMT_TO_WHOLE(__float2uint, float, unsigned)
SIMT_TO_WHOLE(__float2ll, float, long long)
SIMT_TO_WHOLE(__float2ull, float, unsigned long long)
SIMT_TO_WHOLE(__double2int, double, int)
SIMT_TO_WHOLE(__double2uint, double, unsigned)
SIMT_TO_WHOLE(__double2ll, double, long long)
SIMT_TO_WHOLE(__double2ull, double, unsigned long long)
SIMT_INLINE float __int2float_rn(int x) { return (float)x; }
SIMT_INLINE float __uint2float_rn(unsigned x) { return (float)x; }
SIMT_INLINE double __int2double_rn(int x) { return x; }
SIMT_INLINE float __double2float_rn(double x) { return (float)x; }

/* ldmatrix: the two elements of 16 bits that a lane gets of each matrix. */
template <unsigned _COUNT, bool _TRANSPOSED>
SIMT_INLINE void simt_ptx_ldmatrix(unsigned (&registers)[_COUNT], const void *row)
{
    simt_ldmatrix mine = {_COUNT, _TRANSPOSED, row, {}};
    unsigned lane = simt_rank_in_block() % 32;
    simt_ldmatrix_sync(&mine);
    for (unsigned i = 0; i < _COUNT; i++) {
        const void *first = mine.rows[i][0], *second = mine.rows[i][1];
        registers[i] = _TRANSPOSED ? ((const unsigned short *)first)[lane / 4] |
                                         (unsigned)((const unsigned short *)second)[lane / 4] << 16
                                   : ((const unsigned *)first)[lane % 4];
    }
}
