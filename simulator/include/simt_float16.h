/* simt_float16.h: what the two 16-bit floats have in common. cuda_fp16.h and cuda_bf16.h include it
   once each, with SIMT_H and SIMT_H2, the types; SIMT_FRACTION and SIMT_LEAST, the bits of its
   fraction and its least normal exponent; SIMT_N, its name in functions. Arithmetic is done in
   double and rounded once more, which gives hardware's bits (S. A. Figueroa, "When is double
   rounding innocuous?", 1995); a sum of three is rounded to odd between (Boldo and Melquiond,
   2008). exp and its kin may differ in the last bit. */
#ifndef SIMT_FLOAT16_H
#define SIMT_FLOAT16_H

#include "cuda_runtime.h"

enum simt_rounding { simt_rn, simt_rz, simt_rd, simt_ru };
#define SIMT_ROUNDINGS(X, ...)                                                                     \
    X(rn, __VA_ARGS__) X(rz, __VA_ARGS__) X(rd, __VA_ARGS__) X(ru, __VA_ARGS__)

/* The bits of the number next to x with so many bits of fraction: a number is its bits / 2^FRACTION
   in units of its exponent's power of two. A NaN is always the one that hardware makes. */
template <int _FRACTION, int _LEAST>
__attribute__((noinline)) SIMT_UNSEEN unsigned short simt_narrow(double x, simt_rounding mode)
{
    const unsigned infinity = (3 - 2 * _LEAST) << _FRACTION;
    unsigned sign = __builtin_signbit(x) ? 0x8000 : 0;
    double magnitude = __builtin_fabs(x);
    bool up = mode == (sign ? simt_rd : simt_ru);
    int exponent = 0;
    if (x != x)
        return 0x7fff;
    if (x == 0 || __builtin_isinf(x))
        return (unsigned short)(sign | (x == 0 ? 0 : infinity));
    __builtin_frexp(magnitude, &exponent);
    exponent = exponent - 1 > _LEAST ? exponent - 1 : _LEAST;
    double parts = __builtin_ldexp(magnitude, _FRACTION - exponent);
    parts = mode == simt_rn ? __builtin_rint(parts)
            : up            ? __builtin_ceil(parts)
                            : __builtin_floor(parts);
    unsigned bits = ((unsigned)(exponent - _LEAST) << _FRACTION) + (unsigned)parts;
    if (bits >= infinity)
        bits = mode == simt_rn || up ? infinity : infinity - 1;
    return (unsigned short)(sign | bits);
}

/* A float has the same order of bits, and more of them. */
template <int _FRACTION, int _LEAST>
__attribute__((noinline)) SIMT_UNSEEN float simt_widen(unsigned short bits)
{
    unsigned wide = (unsigned)(bits & 0x7fff) << (23 - _FRACTION), sign = (unsigned)(bits & 0x8000)
                                                                          << 16;
    float value;
    __builtin_memcpy(&value, &wide, sizeof value);
    value *= (float)__builtin_ldexp(1, 126 + _LEAST); /* its exponent counts from elsewhere */
    __builtin_memcpy(&wide, &value, sizeof wide);
    if (bits % 0x8000 >= (3 - 2 * _LEAST) << _FRACTION) /* an infinity or a NaN */
        wide |= 0x7f800000;
    wide |= sign;
    __builtin_memcpy(&value, &wide, sizeof value);
    return value;
}

/* a * b + c, the last bit 1 if it is not exact: then a later rounding is the right one. */
__attribute__((unused)) SIMT_UNSEEN static double simt_fma_to_odd(double a, double b, double c)
{
    double product = a * b, sum = product + c, part = sum - product; /* the product is exact */
    double error = (product - (sum - part)) + (c - part);
    long long bits;
    __builtin_memcpy(&bits, &sum, sizeof bits);
    if (error != 0 && error == error && bits % 2 == 0)
        bits += (error > 0) == (sum > 0) ? 1 : -1;
    __builtin_memcpy(&sum, &bits, sizeof sum);
    return sum;
}

/* A member of the class T, whose only member is BITS: assignment from what a function has returned.
   A trivial one would be a store that the compiler does not report, as in x[i] = f(). */
#define SIMT_OF_A_RESULT(T, BITS)                                                                  \
    template <class _R,                                                                            \
              class = typename std::enable_if<std::is_same<const _R, const T>::value>::type>       \
    T &operator=(_R &&result)                                                                      \
    {                                                                                              \
        BITS = result.BITS;                                                                        \
        return *this;                                                                              \
    }

#define SIMT_OF_BOTH(NAME2, NAME)                                                                  \
    SIMT_INLINE SIMT_H2 NAME2(const SIMT_H2 &v, const SIMT_H2 &w)                                  \
    {                                                                                              \
        return {NAME(v.x, w.x), NAME(v.y, w.y)};                                                   \
    }
SIMT_INLINE double simt_sat(double x) { return x > 0 ? (x < 1 ? x : 1) : 0; }

/* To a whole number, as hardware does it: the nearest that there is, and 0 for a NaN. */
template <class T> SIMT_UNSEEN T simt_to_whole(double x, simt_rounding mode)
{
    const T least = (T)(T(-1) < T(0) ? T(1) << (8 * sizeof(T) - 1) : 0), most = (T)~least;
    x = mode == simt_rn   ? __builtin_rint(x)
        : mode == simt_rz ? __builtin_trunc(x)
        : mode == simt_rd ? __builtin_floor(x)
                          : __builtin_ceil(x);
    return x != x ? T(0) : x <= (double)least ? least : x >= (double)most ? most : (T)x;
}
#endif

/* ---- for each of the two types ---- */

#define SIMT_PASTE_(A, B, C) A##B##C
#define SIMT_PASTE(A, B, C)  SIMT_PASTE_(A, B, C)
#define SIMT_AROUND(A, C)    SIMT_PASTE(A, SIMT_N, C) /* A half C */
#define SIMT_TWO(A, C)       SIMT_PASTE(A, SIMT_PASTE(, SIMT_N, 2), C)

struct SIMT_H {
    unsigned short bits;

    SIMT_H() = default;
    SIMT_H(const SIMT_H &) = default;
    SIMT_H &operator=(const SIMT_H &) = default; /* trivial, so that a union may have one */
    SIMT_OF_A_RESULT(SIMT_H, bits)
    template <class T, class = typename std::enable_if<std::is_arithmetic<T>::value>::type>
    SIMT_H(T x) : bits(simt_narrow<SIMT_FRACTION, SIMT_LEAST>((double)x, simt_rn))
    {
    }
    SIMT_H(SIMT_PASTE(, SIMT_H, _raw) raw) : bits(raw.x) {}
    operator SIMT_PASTE(, SIMT_H, _raw)() const { return {bits}; }
    operator float() const { return simt_widen<SIMT_FRACTION, SIMT_LEAST>(bits); }
    SIMT_H &operator++() { return *this = SIMT_H((float)*this + 1); }
    SIMT_H &operator--() { return *this = SIMT_H((float)*this - 1); }
};

/* Copied in one piece, as CUDA's other vectors are: see vector_types.h. */
struct alignas(4) SIMT_H2 {
    SIMT_H x, y;
    typedef short simt_whole __attribute__((vector_size(4), may_alias));

    SIMT_H2() = default;
    SIMT_H2(SIMT_H x, SIMT_H y) : x(x), y(y) {}
    SIMT_H2(SIMT_PASTE(, SIMT_H2, _raw) raw)
        : x(SIMT_PASTE(, SIMT_H, _raw){raw.x}), y(SIMT_PASTE(, SIMT_H, _raw){raw.y})
    {
    }
    operator SIMT_PASTE(, SIMT_H2, _raw)() const { return {x.bits, y.bits}; }
    SIMT_H2(const SIMT_H2 &o) { *(simt_whole *)this = *(const simt_whole *)&o; }
    SIMT_H2 &operator=(const SIMT_H2 &o)
    {
        *(simt_whole *)this = *(const simt_whole *)&o;
        return *this;
    }
};

SIMT_IN_UNION(SIMT_H2, SIMT_H, x, y)

template <> struct simt_is_number<SIMT_H> : std::true_type {
};
template <> struct simt_is_number<SIMT_H2> : std::true_type {
};

/* ---- to and from other types ---- */

SIMT_INLINE SIMT_H SIMT_AROUND(__ushort_as_, )(unsigned short x) { return simt_value<SIMT_H>(x); }
SIMT_INLINE SIMT_H SIMT_AROUND(__short_as_, )(short x)
{
    return simt_value<SIMT_H>((unsigned short)x);
}
SIMT_INLINE unsigned short SIMT_AROUND(__, _as_ushort)(SIMT_H a) { return a.bits; }
SIMT_INLINE short SIMT_AROUND(__, _as_short)(SIMT_H a) { return (short)a.bits; }
SIMT_INLINE SIMT_H simt_round(SIMT_H, double x, simt_rounding mode)
{
    return simt_value<SIMT_H>(simt_narrow<SIMT_FRACTION, SIMT_LEAST>(x, mode));
}

SIMT_INLINE float SIMT_AROUND(__, 2float)(SIMT_H a) { return a; }
SIMT_INLINE SIMT_H SIMT_AROUND(__float2, )(float x) { return x; }
SIMT_INLINE SIMT_H SIMT_AROUND(__double2, )(double x) { return x; }
#define SIMT_CONVERT(MODE, T, NAME)                                                                \
    SIMT_INLINE SIMT_H SIMT_PASTE(__##NAME##2, SIMT_N, _##MODE)(T x)                               \
    {                                                                                              \
        return simt_round(SIMT_H(), (double)x, simt_##MODE);                                       \
    }                                                                                              \
    SIMT_INLINE T SIMT_PASTE(__, SIMT_N, 2##NAME##_##MODE)(SIMT_H a)                               \
    {                                                                                              \
        return simt_to_whole<T>(a, simt_##MODE);                                                   \
    }
SIMT_ROUNDINGS(SIMT_CONVERT, int, int)
SIMT_ROUNDINGS(SIMT_CONVERT, unsigned, uint)
SIMT_ROUNDINGS(SIMT_CONVERT, short, short)
SIMT_ROUNDINGS(SIMT_CONVERT, unsigned short, ushort)
SIMT_ROUNDINGS(SIMT_CONVERT, long long, ll)
SIMT_ROUNDINGS(SIMT_CONVERT, unsigned long long, ull)
#undef SIMT_CONVERT
#define SIMT_CONVERT(MODE, T)                                                                      \
    SIMT_INLINE SIMT_H SIMT_PASTE(__float2, SIMT_N, _##MODE)(float x)                              \
    {                                                                                              \
        return simt_round(SIMT_H(), x, simt_##MODE);                                               \
    }
SIMT_ROUNDINGS(SIMT_CONVERT, float)
#undef SIMT_CONVERT

SIMT_INLINE SIMT_H2 SIMT_TWO(make_, )(SIMT_H x, SIMT_H y) { return {x, y}; }
SIMT_INLINE SIMT_H2 SIMT_TWO(__halves2, )(SIMT_H x, SIMT_H y) { return {x, y}; }
SIMT_INLINE SIMT_H2 SIMT_PASTE(SIMT_AROUND(__, 2), SIMT_N, 2)(SIMT_H x) { return {x, x}; }
SIMT_INLINE SIMT_H2 SIMT_TWO(__float2, _rn)(float x) { return {x, x}; }
SIMT_INLINE SIMT_H2 SIMT_TWO(__floats2, _rn)(float x, float y) { return {x, y}; }
SIMT_INLINE SIMT_H2 SIMT_TWO(__float22, _rn)(float2 v) { return {v.x, v.y}; }
SIMT_INLINE float2 SIMT_TWO(__, 2float2)(const SIMT_H2 &v) { return {v.x, v.y}; }
SIMT_INLINE float __low2float(const SIMT_H2 &v) { return v.x; }
SIMT_INLINE float __high2float(const SIMT_H2 &v) { return v.y; }
SIMT_INLINE SIMT_H SIMT_AROUND(__low2, )(const SIMT_H2 &v) { return v.x; }
SIMT_INLINE SIMT_H SIMT_AROUND(__high2, )(const SIMT_H2 &v) { return v.y; }
SIMT_INLINE SIMT_H2 SIMT_TWO(__low2, )(const SIMT_H2 &v) { return {v.x, v.x}; }
SIMT_INLINE SIMT_H2 SIMT_TWO(__high2, )(const SIMT_H2 &v) { return {v.y, v.y}; }
SIMT_INLINE SIMT_H2 SIMT_TWO(__lows2, )(const SIMT_H2 &v, const SIMT_H2 &w) { return {v.x, w.x}; }
SIMT_INLINE SIMT_H2 SIMT_TWO(__highs2, )(const SIMT_H2 &v, const SIMT_H2 &w) { return {v.y, w.y}; }
SIMT_INLINE SIMT_H2 __lowhigh2highlow(const SIMT_H2 &v) { return {v.y, v.x}; }

/* ---- arithmetic: operators and functions, of one number and of two ---- */

#define SIMT_BINARY(OP, NAME, NAME2)                                                               \
    SIMT_INLINE SIMT_H operator OP(SIMT_H a, SIMT_H b)                                             \
    {                                                                                              \
        return (double)(float)a OP(double)(float) b;                                               \
    }                                                                                              \
    SIMT_INLINE SIMT_H &operator OP##=(SIMT_H &a, SIMT_H b) { return a = a OP b; }                 \
    SIMT_INLINE SIMT_H NAME(SIMT_H a, SIMT_H b) { return a OP b; }                                 \
    SIMT_INLINE SIMT_H2 operator OP(const SIMT_H2 &a, const SIMT_H2 &b)                            \
    {                                                                                              \
        return {a.x OP b.x, a.y OP b.y};                                                           \
    }                                                                                              \
    SIMT_INLINE SIMT_H2 &operator OP##=(SIMT_H2 &a, const SIMT_H2 &b) { return a = a OP b; }       \
    SIMT_INLINE SIMT_H2 NAME2(const SIMT_H2 &a, const SIMT_H2 &b) { return a OP b; }
SIMT_BINARY(+, __hadd, __hadd2)
SIMT_BINARY(-, __hsub, __hsub2)
SIMT_BINARY(*, __hmul, __hmul2)
SIMT_BINARY(/, __hdiv, __h2div)
#undef SIMT_BINARY
#define SIMT_BINARY(OP, NAME)                                                                      \
    SIMT_INLINE SIMT_H NAME##_rn(SIMT_H a, SIMT_H b) { return a OP b; }                            \
    SIMT_INLINE SIMT_H NAME##_sat(SIMT_H a, SIMT_H b)                                              \
    {                                                                                              \
        return simt_sat((double)(float)a OP(double)(float) b);                                     \
    }                                                                                              \
    SIMT_INLINE SIMT_H2 NAME##2_rn(const SIMT_H2 &a, const SIMT_H2 &b) { return a OP b; }          \
    SIMT_OF_BOTH(NAME##2_sat, NAME##_sat)
SIMT_BINARY(+, __hadd)
SIMT_BINARY(-, __hsub)
SIMT_BINARY(*, __hmul)
#undef SIMT_BINARY

SIMT_INLINE SIMT_H operator-(SIMT_H a) { return simt_value<SIMT_H>(a.bits ^ 0x8000u); }
SIMT_INLINE SIMT_H operator+(SIMT_H a) { return a; }
SIMT_INLINE SIMT_H2 operator-(const SIMT_H2 &v) { return {-v.x, -v.y}; }
SIMT_INLINE SIMT_H __hneg(SIMT_H a) { return -a; }
SIMT_INLINE SIMT_H __habs(SIMT_H a) { return simt_value<SIMT_H>(a.bits & 0x7fffu); }
SIMT_INLINE SIMT_H2 __hneg2(const SIMT_H2 &v) { return -v; }
SIMT_INLINE SIMT_H2 __habs2(const SIMT_H2 &v) { return {__habs(v.x), __habs(v.y)}; }

SIMT_INLINE SIMT_H __hfma(SIMT_H a, SIMT_H b, SIMT_H c)
{
    return simt_fma_to_odd((float)a, (float)b, (float)c);
}
SIMT_INLINE SIMT_H __hfma_sat(SIMT_H a, SIMT_H b, SIMT_H c)
{
    return simt_sat(simt_fma_to_odd((float)a, (float)b, (float)c));
}
SIMT_INLINE SIMT_H __hfma_relu(SIMT_H a, SIMT_H b, SIMT_H c)
{
    double sum = simt_fma_to_odd((float)a, (float)b, (float)c);
    return sum < 0 ? 0 : sum;
}
#define SIMT_FMA2(NAME)                                                                            \
    SIMT_INLINE SIMT_H2 __hfma2##NAME(const SIMT_H2 &a, const SIMT_H2 &b, const SIMT_H2 &c)        \
    {                                                                                              \
        return {__hfma##NAME(a.x, b.x, c.x), __hfma##NAME(a.y, b.y, c.y)};                         \
    }
SIMT_FMA2()
SIMT_FMA2(_sat)
SIMT_FMA2(_relu)

/* ---- comparisons: u, also true of a NaN; 2, one answer for each of two; b, both ---- */

#define SIMT_COMPARE(OP, NAME)                                                                     \
    SIMT_INLINE bool operator OP(SIMT_H a, SIMT_H b) { return (float)a OP(float) b; }              \
    SIMT_INLINE bool operator OP(const SIMT_H2 &a, const SIMT_H2 &b)                               \
    {                                                                                              \
        return a.x OP b.x && a.y OP b.y;                                                           \
    }                                                                                              \
    SIMT_COMPARE_AS(NAME, (float)a OP(float) b)                                                    \
    SIMT_COMPARE_AS(NAME##u, (float)a OP(float) b || __builtin_isunordered((float)a, (float)b))
#define SIMT_COMPARE_AS(NAME, EXPRESSION)                                                          \
    SIMT_INLINE bool __h##NAME(SIMT_H a, SIMT_H b) { return EXPRESSION; }                          \
    SIMT_OF_BOTH(__h##NAME##2, __h##NAME)                                                          \
    SIMT_INLINE unsigned __h##NAME##2_mask(const SIMT_H2 &v, const SIMT_H2 &w)                     \
    {                                                                                              \
        return (__h##NAME(v.x, w.x) ? 0xffffu : 0) | (__h##NAME(v.y, w.y) ? 0xffff0000u : 0);      \
    }                                                                                              \
    SIMT_INLINE bool __hb##NAME##2(const SIMT_H2 &v, const SIMT_H2 &w)                             \
    {                                                                                              \
        return __h##NAME(v.x, w.x) && __h##NAME(v.y, w.y);                                         \
    }
SIMT_COMPARE(==, eq)
SIMT_COMPARE(!=, ne)
SIMT_COMPARE(<, lt)
SIMT_COMPARE(<=, le)
SIMT_COMPARE(>, gt)
SIMT_COMPARE(>=, ge)
#undef SIMT_COMPARE
SIMT_INLINE bool __hisnan(SIMT_H a) { return (float)a != (float)a; }
SIMT_INLINE int __hisinf(SIMT_H a) { return __builtin_isinf_sign((float)a); }
SIMT_INLINE SIMT_H2 __hisnan2(const SIMT_H2 &v) { return {__hisnan(v.x), __hisnan(v.y)}; }

/* Of a number and a NaN the number, but the NaN by the name with _nan. The two zeros differ: WITH
   has the bits of the one that is meant. */
#define SIMT_EXTREME(NAME, OP, WITH)                                                               \
    SIMT_INLINE SIMT_H NAME##_nan(SIMT_H a, SIMT_H b)                                              \
    {                                                                                              \
        if (__hisnan(a) || __hisnan(b))                                                            \
            return simt_value<SIMT_H>(0x7fff);                                                     \
        return a == b ? simt_value<SIMT_H>((unsigned)(a.bits WITH b.bits)) : a OP b ? a : b;       \
    }                                                                                              \
    SIMT_INLINE SIMT_H NAME(SIMT_H a, SIMT_H b)                                                    \
    {                                                                                              \
        return NAME##_nan(__hisnan(a) ? b : a, __hisnan(b) ? a : b);                               \
    }                                                                                              \
    SIMT_OF_BOTH(NAME##2, NAME)                                                                    \
    SIMT_OF_BOTH(NAME##2_nan, NAME##_nan)
SIMT_EXTREME(__hmax, >, &)
SIMT_EXTREME(__hmin, <, |)

/* ---- functions ---- */

#define SIMT_FUNCTION(NAME, EXPRESSION)                                                            \
    SIMT_INLINE SIMT_H h##NAME(SIMT_H a)                                                           \
    {                                                                                              \
        double x = (float)a;                                                                       \
        return EXPRESSION;                                                                         \
    }                                                                                              \
    SIMT_INLINE SIMT_H2 h2##NAME(const SIMT_H2 &v) { return {h##NAME(v.x), h##NAME(v.y)}; }
SIMT_FUNCTION(sqrt, sqrt(x))
SIMT_FUNCTION(rsqrt, 1 / sqrt(x))
SIMT_FUNCTION(rcp, 1 / x)
SIMT_FUNCTION(exp, exp(x))
SIMT_FUNCTION(exp2, exp2(x))
SIMT_FUNCTION(exp10, pow(10, x))
SIMT_FUNCTION(log, log(x))
SIMT_FUNCTION(log2, log2(x))
SIMT_FUNCTION(log10, log10(x))
SIMT_FUNCTION(sin, sin(x))
SIMT_FUNCTION(cos, cos(x))
SIMT_FUNCTION(tanh, tanh(x))
SIMT_FUNCTION(tanh_approx, tanh(x))
SIMT_FUNCTION(ceil, ceil(x))
SIMT_FUNCTION(floor, floor(x))
SIMT_FUNCTION(rint, rint(x))
SIMT_FUNCTION(trunc, trunc(x))

/* ---- atomics ---- */

SIMT_INLINE SIMT_H atomicAdd(SIMT_H *p, SIMT_H x)
{
    return simt_atomic(p, [=](SIMT_H old) SIMT_UNSEEN -> SIMT_H { return old + x; });
}
SIMT_INLINE SIMT_H2 atomicAdd(SIMT_H2 *p, SIMT_H2 x)
{
    return simt_atomic(p, [=](SIMT_H2 old) SIMT_UNSEEN -> SIMT_H2 { return old + x; });
}

#undef SIMT_H
#undef SIMT_H2
#undef SIMT_N
#undef SIMT_FRACTION
#undef SIMT_LEAST
