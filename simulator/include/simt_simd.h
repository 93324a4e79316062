/* simt_simd.h: intrinsics on a word of four bytes or two halves of 16 bits. Their names end in 4 or
   2; s and u: with or without sign; ss and us: what is too large or too small is the nearest. */
#pragma once

#include "cuda_runtime.h"

/* f of the parts of a and b, as numbers of type T; of its results the lowest bits. */
template <class T, class _F> SIMT_INLINE unsigned simt_each_part(unsigned a, unsigned b, _F f)
{
    const int bits = 8 * (int)sizeof(T);
    unsigned result = 0;
    for (int i = 0; i < 32; i += bits)
        result |= ((unsigned)f((int)(T)(a >> i), (int)(T)(b >> i)) & ((1u << bits) - 1)) << i;
    return result;
}
template <class T> SIMT_INLINE int simt_nearest(int x)
{
    const bool has_sign = (T)-1 < 0;
    const int bits = 8 * (int)sizeof(T), most = (1 << (bits - has_sign)) - 1;
    const int least = has_sign ? -most - 1 : 0;
    return x < least ? least : x > most ? most : x;
}

#define SIMT_SIMD(NAME, T, EXPRESSION)                                                             \
    SIMT_INLINE unsigned NAME(unsigned a, unsigned b)                                              \
    {                                                                                              \
        return simt_each_part<T>(a, b, [](int x, int y) { return EXPRESSION; });                   \
    }
#define SIMT_SIMD_OF_ONE(NAME, T, EXPRESSION)                                                      \
    SIMT_INLINE unsigned NAME(unsigned a)                                                          \
    {                                                                                              \
        return simt_each_part<T>(a, a, [](int x, int) { return EXPRESSION; });                     \
    }
#define SIMT_SIMD_SUM(NAME, T, EXPRESSION)                                                         \
    SIMT_INLINE unsigned NAME(unsigned a, unsigned b)                                              \
    {                                                                                              \
        unsigned sum = 0;                                                                          \
        simt_each_part<T>(a, b, [&](int x, int y) { return sum += (unsigned)(EXPRESSION); });      \
        return sum;                                                                                \
    }
/* All ones, or 1, where it holds. */
#define SIMT_SIMD_COMPARE(NAME, T, N, OP)                                                          \
    SIMT_SIMD(__vcmp##NAME##N, T, x OP y ? -1 : 0)                                                 \
    SIMT_SIMD(__vset##NAME##N, T, x OP y)
#define SIMT_SIMD_OF_SIGN(N, S, T)                                                                 \
    SIMT_SIMD(__vmin##S##N, T, x < y ? x : y)                                                      \
    SIMT_SIMD(__vmax##S##N, T, x > y ? x : y)                                                      \
    SIMT_SIMD(__vadd##S##s##N, T, simt_nearest<T>(x + y))                                          \
    SIMT_SIMD(__vsub##S##s##N, T, simt_nearest<T>(x - y))                                          \
    SIMT_SIMD(__vabsdiff##S##N, T, x < y ? y - x : x - y)                                          \
    SIMT_SIMD_SUM(__vsad##S##N, T, x < y ? y - x : x - y)                                          \
    SIMT_SIMD_COMPARE(ge##S, T, N, >=)                                                             \
    SIMT_SIMD_COMPARE(gt##S, T, N, >)                                                              \
    SIMT_SIMD_COMPARE(le##S, T, N, <=)                                                             \
    SIMT_SIMD_COMPARE(lt##S, T, N, <)
#define SIMT_SIMD_OF_WIDTH(N, SIGNED, UNSIGNED)                                                    \
    SIMT_SIMD_OF_SIGN(N, s, SIGNED)                                                                \
    SIMT_SIMD_OF_SIGN(N, u, UNSIGNED)                                                              \
    SIMT_SIMD(__vadd##N, UNSIGNED, x + y)                                                          \
    SIMT_SIMD(__vsub##N, UNSIGNED, x - y)                                                          \
    SIMT_SIMD(__vhaddu##N, UNSIGNED, (x + y) >> 1)                                                 \
    SIMT_SIMD(__vavgu##N, UNSIGNED, (x + y + 1) >> 1)                                              \
    SIMT_SIMD(__vavgs##N, SIGNED, (x + y + (x + y >= 0)) >> 1)                                     \
    SIMT_SIMD_COMPARE(eq, UNSIGNED, N, ==)                                                         \
    SIMT_SIMD_COMPARE(ne, UNSIGNED, N, !=)                                                         \
    SIMT_SIMD_OF_ONE(__vneg##N, SIGNED, -x)                                                        \
    SIMT_SIMD_OF_ONE(__vnegss##N, SIGNED, simt_nearest<SIGNED>(-x))                                \
    SIMT_SIMD_OF_ONE(__vabs##N, SIGNED, x < 0 ? -x : x)                                            \
    SIMT_SIMD_OF_ONE(__vabsss##N, SIGNED, simt_nearest<SIGNED>(x < 0 ? -x : x))
SIMT_SIMD_OF_WIDTH(4, signed char, unsigned char)
SIMT_SIMD_OF_WIDTH(2, short, unsigned short)

/* ---- sums of products: of four bytes with four, of two halves with two bytes ---- */

template <class T> SIMT_INLINE T simt_byte(T word, int i)
{
    return (T)-1 < 0 ? (T)(signed char)(word >> 8 * i) : (T)(unsigned char)(word >> 8 * i);
}
template <class T> SIMT_INLINE T simt_half(T word, int i)
{
    return (T)-1 < 0 ? (T)(short)(word >> 16 * i) : (T)(unsigned short)(word >> 16 * i);
}
#define SIMT_DOT(T, OF_FOUR, OF_TWO)                                                               \
    SIMT_INLINE T __dp4a(T a, T b, T sum)                                                          \
    {                                                                                              \
        unsigned result = (unsigned)sum;                                                           \
        for (int i = 0; i < 4; i++)                                                                \
            result += (unsigned)(simt_byte(a, i) * simt_byte(b, i));                               \
        return (T)result;                                                                          \
    }                                                                                              \
    SIMT_INLINE T simt_dp2a(T a, T b, T sum, int from)                                             \
    {                                                                                              \
        return (T)((unsigned)sum + (unsigned)(simt_half(a, 0) * simt_byte(b, from)) +              \
                   (unsigned)(simt_half(a, 1) * simt_byte(b, from + 1)));                          \
    }                                                                                              \
    SIMT_INLINE T __dp2a_lo(T a, T b, T sum) { return simt_dp2a(a, b, sum, 0); }                   \
    SIMT_INLINE T __dp2a_hi(T a, T b, T sum) { return simt_dp2a(a, b, sum, 2); }                   \
    SIMT_INLINE T __dp4a(OF_FOUR a, OF_FOUR b, T sum)                                              \
    {                                                                                              \
        return (T)((unsigned)sum + (unsigned)(a.x * b.x) + (unsigned)(a.y * b.y) +                 \
                   (unsigned)(a.z * b.z) + (unsigned)(a.w * b.w));                                 \
    }                                                                                              \
    SIMT_INLINE T __dp2a_lo(OF_TWO a, OF_FOUR b, T sum)                                            \
    {                                                                                              \
        return (T)((unsigned)sum + (unsigned)(a.x * b.x) + (unsigned)(a.y * b.y));                 \
    }                                                                                              \
    SIMT_INLINE T __dp2a_hi(OF_TWO a, OF_FOUR b, T sum)                                            \
    {                                                                                              \
        return (T)((unsigned)sum + (unsigned)(a.x * b.z) + (unsigned)(a.y * b.w));                 \
    }
SIMT_DOT(int, char4, short2)
SIMT_DOT(unsigned, uchar4, ushort2)
