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
#pragma unroll
    for (unsigned w = 0; w < MOST_WARPS; w++) {
        sum[w].flags = all->flags[w];
        if (place > 0)
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

/* Lane k gets limb k of the sum of the limbs of so many warps. The lower ones keep 32 bits, and get
   what the limb below carries; the highest keeps 64. Sums of 64 bits are enough for 2^31 floats of
   a block. */
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
    unsigned carried = lane < NEGATIVE ? (unsigned)(sum >> 32) : 0;
    int below = (int)__shfl_up_sync(0xffffffff, carried, 1);
    return (lane < NEGATIVE ? (unsigned)sum : sum) + (word)(long long)(lane > 0 ? below : 0);
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

/* The same where there are limbs, too, of which lane k has the k-th. A whole warp comes here. The
   units are moved first, then cut into words of 32 bits: a word that is moved may have 63, which
   leaves no room beside it. */
static inline __device__ float nearest_with_limbs(int128 units, unsigned place, word limb)
{
    if (place > 0) {
        int part = (int)(threadIdx.x % 32) - (int)(place / 32), shift = (int)(place % 32);
        if (part == 0)
            limb += (unsigned)units << shift;
        if (part == 1 || part == 2)
            limb += (unsigned)(units >> (32 * part - shift));
        if (part == 3)
            limb += (word)(long long)(units >> (96 - shift));
    }
    long long all[LIMBS];
    for (int k = 0; k < LIMBS; k++) /* to registers: nearest_float() has no index */
        all[k] = (long long)__shfl_sync(0xffffffff, limb, k);
    return nearest_float(all);
}

/* Does it matter what lies in the limbs? Not if the nearest float is the same with the most that
   may be there and with the least: n floats, each of less than 2^23 units. */
static inline __device__ bool limbs_matter(struct partial p, unsigned place, size_t n)
{
    const int128 most = (int128)n << 23;
    if (p.flags & IN_LIMBS || !(p.flags & FAR_BELOW))
        return p.flags & IN_LIMBS;
    return nearest_of(p.units - most, place) != nearest_of(p.units + most, place);
}

/* A warp that has the sum of n floats, the rest of it in the limbs of so many warps, writes it as a
   float. */
static inline __device__ void round_to(float *out, struct partial p, unsigned place, size_t n,
                                       limbs_of_warps limbs, unsigned warps)
{
    const unsigned both = HAS_PLUS_INFINITY | HAS_MINUS_INFINITY;
    float sum;
    if (p.flags == NOT_MINUS_ZERO) { /* nearly always: the shortest way */
        sum = nearest_of(p.units, place);
    } else if (n == 0) {
        sum = 0.0f;
    } else if (p.flags & both) {
        bool plus = p.flags & HAS_PLUS_INFINITY, minus = p.flags & HAS_MINUS_INFINITY;
        sum = plus && minus ? __uint_as_float(0x7fffffff) : plus ? INFINITY : -INFINITY;
    } else if (!(p.flags & NOT_MINUS_ZERO)) {
        sum = -0.0f;
    } else if (!limbs_matter(p, place, n)) {
        sum = nearest_of(p.units, place);
    } else {
        sum = nearest_with_limbs(p.units, place, sum_of_limbs(limbs, warps));
    }
    if (threadIdx.x == 0)
        *out = sum;
}

#endif
