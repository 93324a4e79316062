/*
 * accumulators.h: any floats as whole numbers: added to accumulators, which become the limbs of a
 * warp.
 */
#ifndef ACCUMULATORS_H
#define ACCUMULATORS_H

#include "limbs.h"
#include "zeroed_word.h" /* word */

/*
 * A finite float is m * 2^(e - 150): m a whole number of 24 bits, e from 0 to 254. Shifted left by
 * e it is a whole number of units. That shift is cut in two: the upper 3 bits of e say into which
 * of 8 accumulators of 64 bits m goes, 32 binades apart, and the lower 5 by how much it is shifted
 * there. The upper 4 bits of the float are its sign and those 3 bits: so there are 16 accumulators,
 * 8 for each sign, and whole numbers without a sign in them. One more takes what is carried out of
 * the last of both. Each thread has its own, in shared memory, 256 threads apart: lanes of one half
 * of a warp never meet in a bank, whichever accumulators they add to.
 */
enum {
    BATCH = 8,
    MOST_THREADS = 256,
    MOST_WARPS = MOST_THREADS / 32,
    ACCUMULATORS = 17,
    NEGATIVE = 8,
    BEYOND = 16,
    MOST_ADDED = 512
};

typedef word (*accumulators)[MOST_THREADS]; /* a[k][thread] */

static inline __device__ accumulators shared_accumulators(void)
{
    __shared__ word a[ACCUMULATORS][MOST_THREADS];
    return a;
}

static inline __device__ void clear(accumulators a)
{
    for (int k = 0; k < ACCUMULATORS; k++)
        a[k][threadIdx.x] = 0;
}

/* m << (e % 32), in 64 bits. The funnel shifts take e modulo 32 by themselves. Where e is 0 there
   is no leading one, and the units are those of e = 1: m is twice the fraction. */
static inline __device__ word significand(unsigned bits)
{
    unsigned e = bits >> 23, m = (bits & 0x7fffff) | 0x800000;
    if ((bits & 0x7f800000) == 0)
        m = 2 * bits;
    return (word)__funnelshift_l(m, 0, e) << 32 | __funnelshift_l(0, m, e);
}

/* Adds a float; what NaN and infinities add does not matter, for their flags decide. At most 55
   bits go in, so it may be done MOST_ADDED times before carry_over(), and what that leaves counts
   as one. */
static inline __device__ void add_float(accumulators a, float x)
{
    word *mine = &a[0][threadIdx.x];
    unsigned bits = __float_as_uint(x);
    mine[(bits >> 28) * MOST_THREADS] += significand(bits);
}

/* The same for FEW floats. All accumulators are read at once, then none is read that a float before
   has changed: if it is the same one, its sum is taken. */
template <int FEW> static inline __device__ void add_together(accumulators a, const float *x)
{
    word *mine = &a[0][threadIdx.x], sum[FEW];
    unsigned which[FEW];
#pragma unroll
    for (int i = 0; i < FEW; i++) {
        which[i] = __float_as_uint(x[i]) >> 28;
        sum[i] = mine[which[i] * MOST_THREADS];
    }
#pragma unroll
    for (int i = 0; i < FEW; i++) {
#pragma unroll
        for (int before = 0; before < i; before++)
            sum[i] = which[before] == which[i] ? sum[before] : sum[i];
        sum[i] += significand(__float_as_uint(x[i]));
    }
#pragma unroll
    for (int i = 0; i < FEW; i++)
        mine[which[i] * MOST_THREADS] = sum[i];
}

/* Moves all but 32 bits of each accumulator into the next. */
static inline __device__ void carry_over(accumulators a)
{
#pragma unroll 1
    for (int sign = 0; sign <= NEGATIVE; sign += NEGATIVE) {
        word carried = 0;
        for (int k = 0; k < NEGATIVE; k++) {
            carried += a[sign + k][threadIdx.x];
            a[sign + k][threadIdx.x] = carried & 0xffffffff;
            carried >>= 32;
        }
        a[BEYOND][threadIdx.x] += sign > 0 ? -carried : carried;
    }
}

/* What a sum of units cannot say. */
enum flags {
    IN_LIMBS = 1,  /* there is more in the limbs of a warp than in the units */
    FAR_BELOW = 2, /* so there is, but nothing that is as large as a unit */
    HAS_LIMBS = IN_LIMBS | FAR_BELOW,
    HAS_PLUS_INFINITY = 4,
    HAS_MINUS_INFINITY = 8, /* NaN is both: so is their sum */
    BOTH_INFINITIES = HAS_PLUS_INFINITY | HAS_MINUS_INFINITY,
    NOT_MINUS_ZERO = 16, /* some element is not -0 */
};

/* Twice the bits of a float: its exponent, without the sign, in the upper 8. */
static inline __device__ unsigned twice(float x)
{
    return 2 * __float_as_uint(x);
}

static inline __device__ unsigned flags_of(float x)
{
    unsigned flags = __float_as_uint(x) == 0x80000000 ? 0 : NOT_MINUS_ZERO;
    if (twice(x) >= 0xff000000) {
        flags |= x < 0 ? 0 : HAS_PLUS_INFINITY;
        flags |= x > 0 ? 0 : HAS_MINUS_INFINITY;
    }
    return flags;
}

/* The flags of COUNT floats. Nearly always one look at the largest is enough. */
template <int COUNT> static inline __device__ unsigned flags_of_batch(const float *x)
{
    unsigned size = 0, bits = 0, common = 0xffffffff;
    int greatest = 0;
#pragma unroll
    for (int k = 0; k < COUNT; k++)
        size = max(size, twice(x[k]));
    if (size > 0 && size < 0xff000000)
        return NOT_MINUS_ZERO;
#pragma unroll
    for (int k = 0; k < COUNT; k++) {
        bits = max(bits, __float_as_uint(x[k]));
        common &= __float_as_uint(x[k]);
        greatest = max(greatest, __float_as_int(x[k]));
    }
    unsigned flags = size > 0 || common == 0 ? NOT_MINUS_ZERO : 0;
    bool nan = size > 0xff000000;
    flags |= nan || greatest >= 0x7f800000 ? HAS_PLUS_INFINITY : 0;
    return flags | (nan || bits >= 0xff800000 ? HAS_MINUS_INFINITY : 0);
}

/* What a warp has beyond its units, as a long whole number in shared memory. Its own, so no
   warp waits for another. Zero at first. */
typedef word (*limbs_of_warps)[LIMBS];

static inline __device__ limbs_of_warps shared_limbs(void)
{
    __shared__ word limbs[MOST_WARPS][LIMBS];
    unsigned lane = threadIdx.x % 32;
    if (lane < LIMBS)
        limbs[threadIdx.x / 32][lane] = 0;
    __syncwarp(); /* in front of the atomics of all lanes */
    return limbs;
}

/* A warp's limbs become the sum of its accumulators. Lanes k, k + 8, k + 16 and k + 24 add up the
   k-th of eight threads each; none begins with the same thread as another: so they never meet in a
   bank. */
static inline __device__ void add_up(accumulators a, word *limb)
{
    unsigned lane = threadIdx.x % 32, k = lane % NEGATIVE, first = threadIdx.x - k;
    word lower = 0, upper = 0, beyond = a[BEYOND][threadIdx.x];
    __syncwarp();
#pragma unroll
    for (unsigned i = 0; i < NEGATIVE; i++) {
        unsigned t = first + (i + k) % NEGATIVE;
        word plus = a[k][t], minus = a[NEGATIVE + k][t];
        lower += (word)(unsigned)plus - (unsigned)minus;
        upper += (plus >> 32) - (minus >> 32);
    }
#pragma unroll
    for (int offset = NEGATIVE; offset < 32; offset *= 2) {
        lower += __shfl_xor_sync(0xffffffff, lower, offset);
        upper += __shfl_xor_sync(0xffffffff, upper, offset);
    }
    if (__any_sync(0xffffffff, beyond != 0)) { /* nothing was carried so far if there is little */
        for (int offset = 16; offset > 0; offset /= 2)
            beyond += __shfl_xor_sync(0xffffffff, beyond, offset);
        upper += k == NEGATIVE - 1 ? beyond : 0;
    }
    word below = __shfl_up_sync(0xffffffff, upper, 1);
    if (lane <= NEGATIVE)
        limb[lane] = (lane < NEGATIVE ? lower : 0) + (lane > 0 ? below : 0);
}

/* LOADS float4 for each thread of a tile, all asked for at once, as far as the array goes. THREADS:
   blockDim.x, or 0 if that is not known; if it is, no load of a whole tile needs an address. */
template <int LOADS, int THREADS = 0>
static inline __device__ void load_tile(const float4 *tile, size_t left, float4 *v)
{
    const float4 *mine = tile + threadIdx.x;
    if (left >= LOADS * blockDim.x) {
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            v[k] = mine[k * (THREADS > 0 ? THREADS : blockDim.x)];
    } else {
#pragma unroll
        for (int k = 0; k < LOADS; k++) {
            if (threadIdx.x + k * blockDim.x < left)
                v[k] = mine[k * blockDim.x];
        }
    }
}

/* What lies after the end of the array becomes `filling`. Returns how many float4 that are. */
template <int LOADS>
static inline __device__ unsigned cut_tile(size_t left, float4 filling, float4 *v)
{
    unsigned cut = 0;
    if (left >= LOADS * blockDim.x)
        return 0;
#pragma unroll
    for (int k = 0; k < LOADS; k++) {
        if (threadIdx.x + k * blockDim.x >= left) {
            v[k] = filling;
            cut++;
        }
    }
    return cut;
}

/* The members of COUNT / 4 float4. */
template <int COUNT> static inline __device__ void members(const float4 *v, float *x)
{
#pragma unroll
    for (int k = 0; k < COUNT / 4; k++) {
        x[4 * k] = v[k].x;
        x[4 * k + 1] = v[k].y;
        x[4 * k + 2] = v[k].z;
        x[4 * k + 3] = v[k].w;
    }
}

/* The tiles of this block, one float after another, from the first one on, which is in v[]; so many
   float4 are left from there. The next is asked for before this one is added, if there are
   registers for two. ONE_TILE: no block has more. The accumulators are zero; limb[] gets the sum of
   the warp. Returns the flags. */
template <int LOADS, int THREADS = 0, bool ONE_TILE = false>
static inline __device__ unsigned accumulate(accumulators a, word *limb, const float4 *body,
                                             size_t first, size_t left, float4 *v, float rest)
{
    const int FEW = LOADS < 16 ? 2 : 1;
    const bool ahead = LOADS <= 8 && !ONE_TILE;
    const float4 none = {-0.0f, -0.0f, -0.0f, -0.0f};
    const size_t stride = (size_t)gridDim.x * LOADS * blockDim.x;
    unsigned added = 2, flags = IN_LIMBS;
    float4 next[LOADS];

    for (;;) {
        if (ahead && left > stride)
            load_tile<LOADS, THREADS>(body + first + stride, left - stride, next);
        cut_tile<LOADS>(left, none, v);
#pragma unroll
        for (int k = 0; k < LOADS; k += BATCH / 4) {
            float x[BATCH];
            members<BATCH>(v + k, x);
            flags |= flags_of_batch<BATCH>(x);
#pragma unroll
            for (int i = 0; i < BATCH; i += FEW)
                add_together<FEW>(a, x + i);
        }
        if (ONE_TILE || left <= stride)
            break;
        first += stride;
        left -= stride;
        added += 4 * LOADS;
        if (added > MOST_ADDED - 4 * LOADS) {
            carry_over(a);
            added = 2; /* what is left, and the rest */
        }
        if (ahead) {
#pragma unroll
            for (int k = 0; k < LOADS; k++)
                v[k] = next[k];
        } else {
            load_tile<LOADS, THREADS>(body + first, left, v);
        }
    }
    /* Threads that have none got -0 of head_or_tail(). */
    if (__float_as_uint(rest) != 0x80000000) {
        flags |= flags_of(rest);
        add_float(a, rest);
    }
    add_up(a, limb);
    return flags;
}

#endif
