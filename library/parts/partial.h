/*
 * partial.h: partial sums that are not rounded, of a thread, a warp or a block, and the one
 * rounding of their sum.
 */
#ifndef PARTIAL_H
#define PARTIAL_H

#include "accumulators.h"

#if defined(SIMT_SIMULATOR) || (defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800)
#define ONE_INSTRUCTION
#endif

/* What a thread, a block or the grid has: so many units of 2^(place - 150), with the same place in
   the whole grid; and flags. The rest is in limbs. 2^40 floats of 24 bits in 59 binades have 122
   bits, beside a sign and 5 flags: no bit is left. A place of 0 says that all is in limbs. */
__extension__ typedef __int128 int128;

struct partial {
    int128 units;
    unsigned flags;
};

static inline __device__ struct partial add(struct partial a, struct partial b)
{
    struct partial sum = {a.units + b.units, a.flags | b.flags};
    return sum;
}

/* The sum over the lanes of a warp, the bits that some lane has, and the largest value: one
   instruction each on GPUs of compute capability 8.0 and later. */
static inline __device__ unsigned warp_total(unsigned value)
{
#ifdef ONE_INSTRUCTION
    return __reduce_add_sync(0xffffffff, value);
#else
    for (int offset = 16; offset > 0; offset /= 2)
        value += __shfl_xor_sync(0xffffffff, value, offset);
    return value;
#endif
}

static inline __device__ unsigned warp_or(unsigned value)
{
#ifdef ONE_INSTRUCTION
    return __reduce_or_sync(0xffffffff, value);
#else
    for (int offset = 16; offset > 0; offset /= 2)
        value |= __shfl_xor_sync(0xffffffff, value, offset);
    return value;
#endif
}

static inline __device__ unsigned warp_max(unsigned value)
{
#ifdef ONE_INSTRUCTION
    return __reduce_max_sync(0xffffffff, value);
#else
    for (int offset = 16; offset > 0; offset /= 2)
        value = max(value, __shfl_xor_sync(0xffffffff, value, offset));
    return value;
#endif
}

/* All lanes get the sum of their warp: in pieces of 27 bits, so that no sum of 32 overflows. */
static inline __device__ struct partial warp_partial(struct partial p, unsigned place)
{
    p.flags = warp_or(p.flags);
    if (place == 0) /* no units */
        return p;
    const unsigned piece = (1 << 27) - 1;
    int128 sum = (int)warp_total((unsigned)(int)(p.units >> 108));
    for (int shift = 81; shift >= 0; shift -= 27)
        sum = sum * (1 << 27) + warp_total((unsigned)(p.units >> shift) & piece);
    p.units = sum;
    return p;
}

/* The sums of warps, where all their block sees them; 0 for warps that are not there. */
struct warp_sums {
    int128 units[MOST_WARPS];
    unsigned flags[MOST_WARPS];
};

/* Two calls need a barrier between them. */
static inline __device__ const struct warp_sums *share(struct partial p, unsigned place)
{
    __shared__ struct warp_sums all;
    p = warp_partial(p, place);
    if (threadIdx.x % 32 == 0) {
        all.units[threadIdx.x / 32] = p.units;
        all.flags[threadIdx.x / 32] = p.flags;
    }
    if (threadIdx.x >= blockDim.x / 32 && threadIdx.x < MOST_WARPS) {
        all.units[threadIdx.x] = 0;
        all.flags[threadIdx.x] = 0;
    }
    __syncthreads();
    return &all;
}

/* The sum of a block. All places are read, at once: a condition for each would make the reads wait
   for each other. */
static inline __device__ struct partial sum_of_warps(const struct warp_sums *all, unsigned place)
{
    struct partial sum[MOST_WARPS] = {};
    if (place == 0) { /* no units */
        sum[0].flags = warp_or(all->flags[threadIdx.x % MOST_WARPS]);
        return sum[0];
    }
#pragma unroll
    for (unsigned w = 0; w < MOST_WARPS; w++) {
        sum[w].flags = all->flags[w];
        sum[w].units = all->units[w];
    }
#pragma unroll
    for (unsigned half = MOST_WARPS / 2; half > 0; half /= 2) {
#pragma unroll
        for (unsigned w = 0; w < half; w++)
            sum[w] = add(sum[w], sum[w + half]);
    }
    return sum[0];
}

/* Lane k gets limb k of the sum of so many warps; all places are read at once, as sum_of_warps()
   does it. */
static inline __device__ word sum_of_limbs(limbs_of_warps limbs, unsigned warps)
{
    unsigned lane = threadIdx.x % 32;
    word sum = 0;
    if (lane < LIMBS) {
#pragma unroll
        for (unsigned w = 0; w < MOST_WARPS; w++) {
            word limb = limbs[w < warps ? w : 0][lane];
            sum += w < warps ? limb : 0;
        }
    }
    return sum;
}

/* Limbs, of which lane k has the k-th, become the digits of the same number: 32 bits each, below 0
   as a complement. Limbs must lie within 2^61 of 0: that is enough for 2^28 floats of a block. */
static inline __device__ unsigned digits_of(word limb)
{
    const unsigned all = 0xffffffff, lane = threadIdx.x % 32;
    const word much = (word)1 << 62;
    /* 2^62 more in each limb and 2^30 less in the next add nothing, and no limb is below 0 then.
       After the first carry a second one is 1 at most. */
    limb += lane > 0 ? much - (much >> 32) : much;
    unsigned carried = __shfl_up_sync(all, (unsigned)(limb >> 32), 1);
    limb = (word)(unsigned)limb + (lane > 0 ? carried : 0);
    /* It goes on through digits of all ones, as a carry does through the ones of `passed`. */
    unsigned made = __ballot_sync(all, limb >> 32 != 0), digit = (unsigned)limb;
    unsigned passed = __ballot_sync(all, digit == 0xffffffff);
    return digit + ((((made << 1) + passed) ^ passed) >> lane & 1);
}

/* The float that is nearest to units * 2^(place - 150). Of what is below the upper 64 bits it only
   matters whether it is 0. */
static inline __device__ float nearest_of(int128 units, unsigned place)
{
    bool minus = units < 0;
    if (minus)
        units = -units;
    word upper = (word)(units >> 64), lower = (word)units, kept = lower;
    int gone = 64 - __clzll((long long)upper), exponent = (int)place - 150 + gone;
    if (gone == 64)
        kept = upper | (lower != 0);
    else if (gone > 0)
        kept = upper << (64 - gone) | lower >> gone | (lower << (64 - gone) != 0);
    float sum = scaled((float)kept, exponent);
    return minus ? -sum : sum;
}

/* The float that is nearest to the number with such digits; all lanes get it. nearest_float() goes
   from limb to limb, a warp looks at all of them at once. */
static inline __device__ float nearest_of_digits(unsigned digit)
{
    const unsigned all = 0xffffffff, in_limbs = (1 << LIMBS) - 1;
    unsigned some = __ballot_sync(all, digit != 0), below = __ballot_sync(all, digit >> 31);
    unsigned not_ones = __ballot_sync(all, digit != 0xffffffff);
    bool minus = below >> (LIMBS - 1) & 1;
    int first = 31 - __clz((int)(((minus ? not_ones : some) & in_limbs) | 1)); /* not all sign */
    unsigned upper = __shfl_sync(all, digit, first), lower = __shfl_sync(all, digit, first - 1);
    if (first == 0)
        lower = some = 0;
    /* 64 bits from there on, and the last one for all after them: then the conversion to float
       rounds as if it saw all. */
    word head = ((minus ? (word)0xffffffff << 32 : 0) | upper) << 31 | lower >> 1;
    bool rest = lower % 2 > 0 || (some & (((1u << first) >> 1) - 1)) != 0;
    return scaled((float)(long long)(head | rest), 32 * (first - 1) + UNIT + 1);
}

/* The same of units and limbs; the units as words of 32 bits. */
static inline __device__ float nearest_with_limbs(int128 units, unsigned place, word limb)
{
    int from = 32 * (int)(threadIdx.x % 32) - (int)place; /* the bit of the units */
    if (from > -32)
        limb += (unsigned)(from < 0 ? units << -from : units >> min(from, 127));
    return nearest_of_digits(digits_of(limb));
}

/* Does it matter what lies in the limbs? Not if the nearest float is the same with the most that
   may be there and with the least: n floats, each of less than 2^23 units. */
static inline __device__ bool limbs_matter(struct partial p, unsigned place, size_t n)
{
    if (p.flags & IN_LIMBS || !(p.flags & FAR_BELOW))
        return p.flags & IN_LIMBS;
    int128 most = (int128)n << 23;
    float with_most = 0.0f;
#pragma unroll 1 /* it is rare: one piece of code for both */
    for (int k = 0; k < 2; k++) {
        float sum = nearest_of(p.units + most, place);
        if (k > 0)
            return sum != with_most;
        with_most = sum;
        most = -most;
    }
    return false;
}

/* The sum of n floats that is no sum of numbers other than 0. */
static inline __device__ float special_sum(unsigned flags, size_t n)
{
    if (!(flags & BOTH_INFINITIES))
        return n > 0 ? -0.0f : 0.0f;
    if ((flags & BOTH_INFINITIES) == BOTH_INFINITIES)
        return __uint_as_float(0x7fffffff); /* NaN */
    return flags & HAS_PLUS_INFINITY ? INFINITY : -INFINITY;
}

/* A warp that has the sum of n floats, the rest of it in the limbs of so many warps, writes it as a
   float. */
static inline __device__ void round_to(float *out, struct partial p, unsigned place, size_t n,
                                       limbs_of_warps limbs, unsigned warps)
{
    float sum;
    if (place == 0) /* no units */
        sum = nearest_of_digits(digits_of(sum_of_limbs(limbs, warps)));
    else if (!limbs_matter(p, place, n)) /* nearly always: the shortest way */
        sum = nearest_of(p.units, place);
    else
        sum = nearest_with_limbs(p.units, place, sum_of_limbs(limbs, warps));
    if ((p.flags & (BOTH_INFINITIES | NOT_MINUS_ZERO)) != NOT_MINUS_ZERO)
        sum = special_sum(p.flags, n);
    if (threadIdx.x == 0)
        *out = sum;
}

#endif
