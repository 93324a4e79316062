/*
 * cuda_fp16.h: half precision, where the compiler has _Float16: g++ 12 or later on
 * x86-64, g++ 13 on AArch64. Arithmetic is done in float and rounded once, which for
 * + - * / and sqrt gives the same bits as hardware.
 */
#ifndef SIMT_CUDA_FP16_H
#define SIMT_CUDA_FP16_H

#include "cuda_runtime.h"

#ifndef __FLT16_MANT_DIG__
#error half precision needs a compiler with _Float16: g++ 12 or later
#endif

struct __half {
    _Float16 value;
    __half() = default;
    __half(float x) : value((_Float16)x) {}
    __half(double x) : value((_Float16)x) {}
    __half(int x) : value((_Float16)x) {}
    operator float() const { return (float)value; }
};
struct alignas(4) __half2 {
    __half x, y;
    typedef short simt_whole __attribute__((vector_size(4), may_alias)); /* see vector_types.h */
    __half2() = default;
    __half2(__half x, __half y) : x(x), y(y) {}
    __half2(const __half2 &o) { *(simt_whole *)this = *(const simt_whole *)&o; }
    __half2 &operator=(const __half2 &o)
    {
        *(simt_whole *)this = *(const simt_whole *)&o;
        return *this;
    }
};
typedef __half half;
typedef __half2 half2;

/* Each operator also as a function, and for the two halves of a half2. */
#define SIMT_HALF(OP, NAME)                                                                        \
    SIMT_INLINE __half operator OP(__half a, __half b) { return (float)a OP(float) b; }            \
    SIMT_INLINE __half &operator OP##=(__half &a, __half b) { return a = a OP b; }                 \
    SIMT_INLINE __half __h##NAME(__half a, __half b) { return a OP b; }                            \
    SIMT_INLINE __half2 operator OP(const __half2 &a, const __half2 &b)                            \
    {                                                                                              \
        return {a.x OP b.x, a.y OP b.y};                                                           \
    }                                                                                              \
    SIMT_INLINE __half2 &operator OP##=(__half2 &a, const __half2 &b) { return a = a OP b; }       \
    SIMT_INLINE __half2 __h##NAME##2(const __half2 &a, const __half2 &b) { return a OP b; }
SIMT_HALF(+, add)
SIMT_HALF(-, sub)
SIMT_HALF(*, mul)
SIMT_HALF(/, div)
#undef SIMT_HALF
#define SIMT_HALF(OP, NAME)                                                                        \
    SIMT_INLINE bool operator OP(__half a, __half b) { return (float)a OP(float) b; }              \
    SIMT_INLINE bool __h##NAME(__half a, __half b) { return a OP b; }
SIMT_HALF(==, eq)
SIMT_HALF(!=, ne)
SIMT_HALF(<, lt)
SIMT_HALF(<=, le)
SIMT_HALF(>, gt)
SIMT_HALF(>=, ge)
#undef SIMT_HALF
SIMT_INLINE __half operator-(__half a) { return -(float)a; }
SIMT_INLINE __half __hneg(__half a) { return -a; }
SIMT_INLINE __half __habs(__half a) { return fabsf(a); }
SIMT_INLINE __half __hmax(__half a, __half b) { return fmaxf(a, b); }
SIMT_INLINE __half __hmin(__half a, __half b) { return fminf(a, b); }
SIMT_INLINE bool __hisnan(__half a) { return a != a; }
/* The product of two halves is exact in double, and so is nearly every sum with a third. */
SIMT_INLINE __half __hfma(__half a, __half b, __half c)
{
    return (double)a * (double)b + (double)c;
}
SIMT_INLINE __half2 __hfma2(const __half2 &a, const __half2 &b, const __half2 &c)
{
    return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
SIMT_INLINE __half hsqrt(__half a) { return sqrtf(a); }
SIMT_INLINE __half hexp(__half a) { return expf(a); }
SIMT_INLINE __half hlog(__half a) { return logf(a); }

SIMT_INLINE __half __float2half(float x) { return x; }
SIMT_INLINE __half __float2half_rn(float x) { return x; }
SIMT_INLINE __half __double2half(double x) { return x; }
SIMT_INLINE __half __int2half_rn(int x) { return x; }
SIMT_INLINE float __half2float(__half x) { return x; }
SIMT_INLINE int __half2int_rn(__half x) { return (int)rintf(x); }
SIMT_INLINE int __half2int_rz(__half x) { return (int)(float)x; }
SIMT_INLINE unsigned short __half_as_ushort(__half x) { return (unsigned short)simt_bits(x); }
SIMT_INLINE __half __ushort_as_half(unsigned short x) { return simt_value<__half>(x); }
SIMT_INLINE __half2 make_half2(__half x, __half y) { return {x, y}; }
SIMT_INLINE __half2 __halves2half2(__half x, __half y) { return {x, y}; }
SIMT_INLINE __half2 __half2half2(__half x) { return {x, x}; }
SIMT_INLINE __half2 __float2half2_rn(float x) { return {x, x}; }
SIMT_INLINE __half2 __floats2half2_rn(float x, float y) { return {x, y}; }
SIMT_INLINE __half2 __float22half2_rn(float2 v) { return {v.x, v.y}; }
SIMT_INLINE float2 __half22float2(const __half2 &v) { return {v.x, v.y}; }
SIMT_INLINE __half __low2half(const __half2 &v) { return v.x; }
SIMT_INLINE __half __high2half(const __half2 &v) { return v.y; }
SIMT_INLINE float __low2float(const __half2 &v) { return v.x; }
SIMT_INLINE float __high2float(const __half2 &v) { return v.y; }

SIMT_INLINE __half atomicAdd(__half *p, __half x)
{
    return simt_atomic(p, [=](__half old) SIMT_UNSEEN -> __half { return old + x; });
}
SIMT_INLINE __half2 atomicAdd(__half2 *p, __half2 x)
{
    return simt_atomic(p, [=](__half2 old) SIMT_UNSEEN -> __half2 { return old + x; });
}

#endif
