/* cuda_fp8.h: floats of 8 bits, one at a time, in pairs and in fours, for storage: there is only
   conversion, to the nearest, to even in the middle. e5m2 is the upper half of a half. e4m3 has no
   infinity, and one NaN, 0x7f with any sign. */
#pragma once

#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t; /* the first number is in the low byte */
typedef unsigned __nv_fp8x4_storage_t;

/* What is too large becomes an infinity (a NaN in e4m3), or the largest number. */
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

/* ---- one number ---- */

__attribute__((unused)) SIMT_UNSEEN static __nv_fp8_storage_t
__nv_cvt_double_to_fp8(double x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind)
{
    const int fraction = kind == __NV_E4M3 ? 3 : 2, least = kind == __NV_E4M3 ? -6 : -14;
    const unsigned most = kind == __NV_E4M3 ? 0x7e : 0x7b;
    unsigned sign = __builtin_signbit(x) ? 0x80 : 0, bits = 0xff;
    double magnitude = __builtin_fabs(x);
    if (x != x) { /* of a NaN's fraction e5m2 keeps two bits */
        unsigned long long whole;
        __builtin_memcpy(&whole, &x, sizeof whole);
        return (unsigned char)(sign | (kind == __NV_E4M3 ? 0x7f : 0x7e | (whole >> 50 & 3)));
    }
    if (magnitude < 0x1p20) {
        int exponent = __builtin_ilogb(magnitude);
        exponent = exponent > least ? exponent : least;
        double parts = __builtin_rint(__builtin_ldexp(magnitude, fraction - exponent));
        bits = ((unsigned)(exponent - least) << fraction) + (unsigned)parts;
    }
    if (bits > most) /* the next code is what e4m3 has for a NaN, and e5m2 for an infinity */
        bits = saturate == __NV_SATFINITE ? most : most + 1;
    return (unsigned char)(sign | bits);
}
SIMT_INLINE __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturate,
                                                     __nv_fp8_interpretation_t kind)
{
    return x != x ? 0x7f : __nv_cvt_double_to_fp8(x, saturate, kind);
}
SIMT_INLINE __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t saturate,
                                                       __nv_fp8_interpretation_t kind)
{
    return __nv_cvt_float_to_fp8(__half(x), saturate, kind);
}
SIMT_INLINE __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x,
                                                           __nv_saturation_t saturate,
                                                           __nv_fp8_interpretation_t kind)
{
    return __nv_cvt_float_to_fp8(__nv_bfloat16(x), saturate, kind);
}

/* A half has each of these numbers. */
__attribute__((unused)) SIMT_UNSEEN static __half_raw
__nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t bits, __nv_fp8_interpretation_t kind)
{
    unsigned magnitude = bits & 0x7f, sign = bits & 0x80;
    if (magnitude > (kind == __NV_E4M3 ? 0x7eu : 0x7cu))
        return {0x7fff};
    if (kind == __NV_E5M2)
        return {(unsigned short)(bits << 8)};
    int exponent =
        magnitude >= 8 ? (int)(magnitude / 8) : 1; /* the least numbers lack the first 1 */
    unsigned parts = magnitude % 8 + (magnitude >= 8 ? 8 : 0);
    __half_raw value = __half(__builtin_ldexp(parts, exponent - 10));
    return {(unsigned short)(value.x | sign << 8)};
}

/* ---- two, the first in the low byte ---- */

#define SIMT_PAIR(NAME, PAIR, SINGLE, ONE)                                                         \
    SIMT_INLINE __nv_fp8x2_storage_t NAME(PAIR v, __nv_saturation_t saturate,                      \
                                          __nv_fp8_interpretation_t kind)                          \
    {                                                                                              \
        return (unsigned short)(ONE(SINGLE{v.x}, saturate, kind) |                                 \
                                ONE(SINGLE{v.y}, saturate, kind) << 8);                            \
    }
SIMT_PAIR(__nv_cvt_double2_to_fp8x2, double2, double, __nv_cvt_double_to_fp8)
SIMT_PAIR(__nv_cvt_float2_to_fp8x2, float2, float, __nv_cvt_float_to_fp8)
SIMT_PAIR(__nv_cvt_halfraw2_to_fp8x2, __half2_raw, __half_raw, __nv_cvt_halfraw_to_fp8)
SIMT_PAIR(__nv_cvt_bfloat16raw2_to_fp8x2, __nv_bfloat162_raw, __nv_bfloat16_raw,
          __nv_cvt_bfloat16raw_to_fp8)

SIMT_INLINE __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t bits,
                                                   __nv_fp8_interpretation_t kind)
{
    return {__nv_cvt_fp8_to_halfraw((unsigned char)bits, kind).x,
            __nv_cvt_fp8_to_halfraw((unsigned char)(bits >> 8), kind).x};
}

/* ---- the types ---- */

#define SIMT_FP8_BITS(NAME, BITS)                                                                  \
    BITS __x;                                                                                      \
    NAME() = default;                                                                              \
    NAME(const NAME &) = default;                                                                  \
    NAME &operator=(const NAME &) = default;                                                       \
    SIMT_OF_A_RESULT(NAME, __x)
#define SIMT_FP8(NAME, KIND)                                                                       \
    struct NAME {                                                                                  \
        SIMT_FP8_BITS(NAME, __nv_fp8_storage_t)                                                    \
        template <class T, class = typename std::enable_if<std::is_arithmetic<T>::value>::type>    \
        explicit NAME(T x) : __x(__nv_cvt_float_to_fp8((float)x, __NV_SATFINITE, KIND))            \
        {                                                                                          \
        }                                                                                          \
        explicit NAME(double x) : __x(__nv_cvt_double_to_fp8(x, __NV_SATFINITE, KIND)) {}          \
        explicit NAME(__half x) : __x(__nv_cvt_float_to_fp8(x, __NV_SATFINITE, KIND)) {}           \
        explicit NAME(__nv_bfloat16 x) : __x(__nv_cvt_float_to_fp8(x, __NV_SATFINITE, KIND)) {}    \
        explicit operator __half() const { return __nv_cvt_fp8_to_halfraw(__x, KIND); }            \
        explicit operator float() const { return __half(*this); }                                  \
        explicit operator double() const { return (float)*this; }                                  \
        explicit operator __nv_bfloat16() const { return (float)*this; }                           \
        explicit operator bool() const { return (__x & 0x7f) != 0; }                               \
        template <class T, class = typename std::enable_if<std::is_integral<T>::value>::type>      \
        explicit operator T() const /* towards 0, and the nearest that there is */                 \
        {                                                                                          \
            return simt_to_whole<T>((float)*this, simt_rz);                                        \
        }                                                                                          \
    };
SIMT_FP8(__nv_fp8_e4m3, __NV_E4M3)
SIMT_FP8(__nv_fp8_e5m2, __NV_E5M2)

#define SIMT_FP8X2(NAME, KIND)                                                                     \
    struct alignas(2) NAME {                                                                       \
        SIMT_FP8_BITS(NAME, __nv_fp8x2_storage_t)                                                  \
        explicit NAME(float2 v) : __x(__nv_cvt_float2_to_fp8x2(v, __NV_SATFINITE, KIND)) {}        \
        explicit NAME(double2 v) : __x(__nv_cvt_double2_to_fp8x2(v, __NV_SATFINITE, KIND)) {}      \
        explicit NAME(__half2 v) : __x(__nv_cvt_halfraw2_to_fp8x2(v, __NV_SATFINITE, KIND)) {}     \
        explicit NAME(__nv_bfloat162 v)                                                            \
            : __x(__nv_cvt_bfloat16raw2_to_fp8x2(v, __NV_SATFINITE, KIND))                         \
        {                                                                                          \
        }                                                                                          \
        explicit operator __half2() const { return __nv_cvt_fp8x2_to_halfraw2(__x, KIND); }        \
        explicit operator float2() const { return __half22float2(__half2(*this)); }                \
    };
SIMT_FP8X2(__nv_fp8x2_e4m3, __NV_E4M3)
SIMT_FP8X2(__nv_fp8x2_e5m2, __NV_E5M2)

#define SIMT_FP8X4(NAME, PAIR)                                                                     \
    struct alignas(4) NAME {                                                                       \
        SIMT_FP8_BITS(NAME, __nv_fp8x4_storage_t)                                                  \
        explicit NAME(PAIR low, PAIR high) : __x(low.__x | (unsigned)high.__x << 16) {}            \
        explicit NAME(__half2 low, __half2 high) : NAME(PAIR(low), PAIR(high)) {}                  \
        explicit NAME(__nv_bfloat162 low, __nv_bfloat162 high) : NAME(PAIR(low), PAIR(high)) {}    \
        explicit NAME(float4 v) : NAME(PAIR(float2{v.x, v.y}), PAIR(float2{v.z, v.w})) {}          \
        explicit NAME(double4 v) : NAME(PAIR(double2{v.x, v.y}), PAIR(double2{v.z, v.w})) {}       \
        explicit operator float4() const                                                           \
        {                                                                                          \
            PAIR low, high;                                                                        \
            low.__x = (unsigned short)__x, high.__x = (unsigned short)(__x >> 16);                 \
            float2 a = (float2)low, b = (float2)high;                                              \
            return {a.x, a.y, b.x, b.y};                                                           \
        }                                                                                          \
    };
SIMT_FP8X4(__nv_fp8x4_e4m3, __nv_fp8x2_e4m3)
SIMT_FP8X4(__nv_fp8x4_e5m2, __nv_fp8x2_e5m2)
