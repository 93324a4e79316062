/*
 * reduce_operators.h: the operators of reduce_rows.h, for the kernels. As in step 15 a thread keeps
 * a state of the elements that it has seen, and states merge. Here each state has two parts:
 *
 *   first    what can be known at once: a sum, or a maximum
 *   second   what needs a pivot that follows from it: squares about the mean, exponentials about
 *            the largest, the number of the element that is the largest. SUM and MAX have none.
 *
 * So threads that hold a row between them find the pivot together, each brings its second part to
 * that pivot (rebase), and these are added: no merge of two states computes anything.
 */
#ifndef REDUCE_OPERATORS_H
#define REDUCE_OPERATORS_H

#include "parts/larger.h"
#include <math.h>
#include <stdint.h>

#define SIGN 0x80000000u

/* What an operator has; each says what is different. Those with a second part have second_of(x, i,
   p), too: of element x with the number i, about the pivot p. */
struct any_operator {
    typedef float second;
    static const bool TWO = false;         /* whether there is a second part */
    static const bool LOOKS_AGAIN = false; /* a thread may remember 16 bytes of elements in place of
                                              a number, and look there when the pivot is known */
    static const bool HAS_ORIGIN = false;  /* key() is the distance from one: about() */
    static const int ANSWER = 4;           /* bytes */
    static constexpr float NO_SECOND = 0.0f;

    static __device__ float key(float x) /* what is reduced in place of x */
    {
        return x;
    }
    static __device__ float pivot(float first, size_t) /* of so many elements */
    {
        return first;
    }
    static __device__ float merge_second(float a, float b)
    {
        return a + b;
    }
    /* About another pivot. */
    static __device__ float rebase(float, float s, size_t, float, float)
    {
        return s;
    }
    static __device__ float since(float s, size_t) /* if this element is to have the number 0 */
    {
        return s;
    }
    /* False if later elements, of which `more` is the first part, change nothing. */
    static __device__ bool matters(float, float)
    {
        return true;
    }
    __device__ void answer(float first, float, size_t, void *out, size_t i) const
    {
        ((float *)out)[i] = first;
    }
};

struct row_sum : any_operator {
    static constexpr float NONE = 0.0f;

    static __device__ float merge_first(float a, float b)
    {
        return a + b;
    }
};

/* The larger of two; a NaN is larger than every number (is_larger() of step 15). From sm_80 on that
   is one instruction; CUDA has no function for it. */
static inline __device__ float larger(float a, float b)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800 && !defined(SIMT_SIMULATOR)
    float c;
    asm("max.NaN.f32 %0, %1, %2;" : "=f"(c) : "f"(a), "f"(b));
    return c;
#else
    return a >= b || a != a ? a : b;
#endif
}

/* One NaN of larger() has the bits of another; so a maximum that has others than one of its two is
   the other. */
static inline __device__ bool is_other(float a, float b)
{
    return __float_as_uint(a) != __float_as_uint(b);
}

/* The maximum; or with flip = SIGN the minimum, as minus the maximum of all -x. Segments have no
   minimum: FLIPS is false. */
template <bool FLIPS> struct row_largest : any_operator {
    static constexpr float NONE = -INFINITY;
    unsigned flip;

    __device__ float key(float x) const
    {
        return FLIPS ? __uint_as_float(__float_as_uint(x) ^ flip) : x;
    }
    static __device__ float merge_first(float a, float b)
    {
        return larger(a, b);
    }
    __device__ void answer(float first, float, size_t, void *out, size_t i) const
    {
        ((float *)out)[i] = key(first);
    }
};

/* Its number: the smallest number among the elements that equal the pivot. NUMBER: unsigned where
   rows are short, else size_t. */
template <typename NUMBER, bool FLIPS> struct row_where : row_largest<FLIPS> {
    typedef NUMBER second;
    static const bool TWO = true, LOOKS_AGAIN = true;
    static const int ANSWER = 8;
    static constexpr NUMBER NO_SECOND = (NUMBER)-1;

    static __device__ bool same(float a, float b)
    {
        return a == b || (a != a && b != b);
    }
    static __device__ NUMBER merge_second(NUMBER a, NUMBER b)
    {
        return a < b ? a : b;
    }
    static __device__ NUMBER second_of(float x, size_t i, float p)
    {
        return same(x, p) ? (NUMBER)i : NO_SECOND;
    }
    /* The first of N elements that is the same as the pivot; N if none is. */
    template <int N> static __device__ unsigned place_of(const float *x, float p)
    {
        unsigned place = N;
        if (p == p) {
            for (int e = N - 1; e >= 0; e--)
                place = x[e] == p ? e : place;
        } else {
            for (int e = N - 1; e >= 0; e--)
                place = x[e] != x[e] ? e : place;
        }
        return place;
    }
    static __device__ NUMBER rebase(float first, NUMBER s, size_t, float, float to)
    {
        return same(first, to) ? s : NO_SECOND;
    }
    static __device__ NUMBER since(NUMBER s, size_t start)
    {
        return s == NO_SECOND ? s : s - (NUMBER)start;
    }
    static __device__ bool matters(float first, float more)
    {
        return is_larger(more, first) || first == -INFINITY; /* which no element may have had */
    }
    __device__ void answer(float, NUMBER s, size_t, void *out, size_t i) const
    {
        ((int64_t *)out)[i] = s == NO_SECOND ? -1 : (int64_t)s;
    }
};

/* The operator with numbers of 32 bits, if it has numbers. */
template <class OP> static __host__ __device__ OP with_short_numbers(OP op)
{
    return op;
}
template <bool FLIPS>
static __host__ __device__ auto with_short_numbers(row_where<size_t, FLIPS> op)
{
    row_where<unsigned, FLIPS> narrow;
    narrow.flip = op.flip;
    return narrow;
}

/* n, for an exact division by it. The compiler folds it, and so a division by a power of two, if n
   is a constant of 32 bits, but not of 64. */
static inline __device__ float divisor(size_t n)
{
    return n >> 32 ? (float)n : (float)(unsigned)n;
}

/*
 * A sum, and squares about the mean. The squares of n elements about another mean are larger by
 * n times the square of the distance (as in Chan, Golub and LeVeque, 1979).
 *
 * What is reduced is the difference from an origin, which is exact near x (Sterbenz): the sum of
 * numbers around a million would be off by more than numbers that lie around 1 differ. Where many
 * elements come one after the other, the origin is the mean of a thread's first four; then settle()
 * brings both parts to an origin that all threads that meet have. Each lies between elements, so it
 * is no further from the mean than the root of all squares.
 */
struct row_mean_var : row_sum {
    static const bool TWO = true, HAS_ORIGIN = true;
    static const int ANSWER = 8;
    float origin;

    __device__ float key(float x) const
    {
        return x - origin;
    }
    /* Any number near the mean does as a pivot: a quotient that is off by 2 ulp costs a fifth of an
       exact one's instructions. */
    static __device__ float pivot(float first, size_t count)
    {
        return count > 0 ? __fdividef(first, (float)count) : 0.0f;
    }
    static __device__ float second_of(float x, size_t, float p)
    {
        return (x - p) * (x - p);
    }
    static __device__ float rebase(float, float s, size_t count, float from, float to)
    {
        return count > 0 ? s + (float)count * ((from - to) * (from - to)) : 0.0f;
    }
    __device__ void answer(float first, float s, size_t count, void *out, size_t i) const
    {
        float *both = (float *)out + 2 * i;
        both[0] = count > 0 ? origin + first / divisor(count) : NAN;
        both[1] = count > 1 && isfinite(first) ? s / divisor(count - 1) : NAN;
    }
};

/* The operator with this origin, if it is finite. */
template <class OP> static __device__ OP about(OP op, float origin)
{
    if constexpr (OP::HAS_ORIGIN)
        op.origin = isfinite(origin) ? origin : 0.0f;
    return op;
}

/* The same for a row that begins with a and b (or once more a, or 0, if it has no more): about the
   smaller of the two, so that the mean of small numbers does not suffer from a large one in front
   of them. */
template <class OP> static __device__ OP with_origin(OP op, float a, float b)
{
    return about(op, fabsf(b) < fabsf(a) || !isfinite(a) ? b : a);
}

/* 2^x within 2 ulp, as exp2f(), which needs four instructions to keep what is below 2^-126. Beside
   the 1 of the largest element that is nothing. */
static inline __device__ float power_of_two(float x)
{
#if defined(__CUDA_ARCH__) && !defined(SIMT_SIMULATOR)
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
#else
    return exp2f(x);
#endif
}

/* The largest, and the sum of e^(x - largest). An infinite largest is no pivot: inf - inf is a NaN.
   In its place 0 does: e^inf is infinite and e^-inf is 0, as they should be. */
struct row_log_sum_exp : any_operator {
    static const bool TWO = true;
    static constexpr float NONE = -INFINITY;

    static __device__ float merge_first(float a, float b)
    {
        return fmaxf(a, b); /* a NaN comes into the second part alone, and stays there */
    }
    static __device__ float pivot(float first, size_t)
    {
        return isinf(first) ? 0.0f : first;
    }
    static __device__ float second_of(float x, size_t, float p)
    {
        return power_of_two((x - p) * 1.44269504f); /* log2(e) */
    }
    static __device__ float rebase(float first, float s, size_t, float, float to)
    {
        return s * second_of(first, 0, to);
    }
    __device__ void answer(float first, float s, size_t, void *out, size_t i) const
    {
        ((float *)out)[i] = pivot(first, 0) + logf(s);
    }
};

/* The largest |x|, and the sum of (x / unit)^2. The unit is the power of two below the largest, so
   that to scale by it rounds nothing; it is kept where its inverse is a normal float, too. */
struct row_norm : any_operator {
    static const bool TWO = true;
    static constexpr float NONE = 0.0f;

    static __device__ float inverse(float unit)
    {
        return __uint_as_float(0x7f000000u - __float_as_uint(unit));
    }
    static __device__ float key(float x)
    {
        return fabsf(x);
    }
    static __device__ float merge_first(float a, float b)
    {
        return fmaxf(a, b); /* as above */
    }
    static __device__ float pivot(float first, size_t)
    {
        unsigned unit = __float_as_uint(first) & 0x7f800000u;
        unit = unit < 0x00800000u ? 0x00800000u : unit > 0x7e800000u ? 0x7e800000u : unit;
        return __uint_as_float(unit);
    }
    static __device__ float second_of(float x, size_t, float p)
    {
        float scaled = x * inverse(p);
        return scaled * scaled;
    }
    static __device__ float rebase(float, float s, size_t, float from, float to)
    {
        float ratio = from * inverse(to);
        return s * ratio * ratio;
    }
    __device__ void answer(float first, float s, size_t, void *out, size_t i) const
    {
        ((float *)out)[i] = sqrtf(s) * pivot(first, 0);
    }
};

#endif
