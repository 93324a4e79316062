/*
 * exact.h: what the exact sums of step 13 share: where a float goes in a wide number, and how the
 * numbers of all threads become one float.
 */
#ifndef EXACT_H
#define EXACT_H

#include "05_warp_shuffle/warp_sum.h"
#include "09_single_pass/slots.h"
#include "limbs.h"

/*
 * A finite float is m * 2^(e - 150): m a whole number of 24 bits, e from 0 to 254. Shifted left by
 * e it is a whole number of units. That shift is cut in two: the upper 3 bits of e say into which
 * of 8 accumulators of 64 bits m goes, 32 binades apart, and the lower 5 by how much it is shifted
 * there. The upper 4 bits of the float are its sign and those 3 bits: so there are 16 accumulators,
 * 8 for each sign, and whole numbers without a sign in them. Two more take what is carried out of
 * the last of each. Each thread has its own, in shared memory, 256 threads apart: lanes of one half
 * of a warp never meet in a bank, whichever accumulators they add to.
 */
enum {
    BATCH = 8,
    MOST_THREADS = 256,
    ACCUMULATORS = 18,
    NEGATIVE = 8,
    BEYOND = 16,
    MOST_ADDED = 512
};

#if defined(SIMT_SIMULATOR) || (defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800)
#define ONE_INSTRUCTION
#endif

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

/* Adds a finite float. At most 55 bits go in, so it may be done MOST_ADDED times before
   carry_over(), and what that leaves counts as one. */
static inline __device__ void add_float(accumulators a, float x)
{
    word *mine = &a[0][threadIdx.x];
    unsigned bits = __float_as_uint(x);
    mine[(bits >> 28) * MOST_THREADS] += significand(bits);
}

/* Moves all but 32 bits of each accumulator into the next. */
static inline __device__ void carry_over(accumulators a)
{
    for (int k = 0; k < BEYOND; k++) {
        word w = a[k][threadIdx.x];
        bool last = k % NEGATIVE == NEGATIVE - 1;
        a[k][threadIdx.x] = w & 0xffffffff;
        a[last ? BEYOND + k / NEGATIVE : k + 1][threadIdx.x] += w >> 32;
    }
}

/* What a sum of units cannot say. */
enum flags {
    IN_LIMBS = 1,  /* there is more in the limbs of a block than in the units */
    FAR_BELOW = 2, /* so there is, but nothing that is as large as a unit */
    HAS_PLUS_INFINITY = 4,
    HAS_MINUS_INFINITY = 8, /* NaN is both: so is their sum */
    NOT_MINUS_ZERO = 16,    /* some element is not -0 */
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

/* The flags of COUNT floats; NaN and infinities become -0, which adds nothing. Nearly always one
   look at the largest is enough. */
template <int COUNT> static inline __device__ unsigned take_specials(float *x)
{
    unsigned largest = twice(x[0]), flags = NOT_MINUS_ZERO;
#pragma unroll
    for (int k = 1; k < COUNT; k++)
        largest = max(largest, twice(x[k]));
    if (largest > 0 && largest < 0xff000000)
        return flags;
    flags = 0;
#pragma unroll
    for (int k = 0; k < COUNT; k++) {
        flags |= flags_of(x[k]);
        x[k] = twice(x[k]) < 0xff000000 ? x[k] : -0.0f;
    }
    return flags;
}

/* What a thread, a block or the grid has: so many units of 2^(place - 150), with the same place in
   the whole grid; and flags. The rest is in accumulators, and later in limbs. 2^40 floats of 24
   bits in 59 binades have 122 bits, beside a sign and 5 flags: no bit is left. */
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
static inline __device__ struct partial warp_partial(struct partial p)
{
    const unsigned piece = (1 << 27) - 1;
    int128 sum = (int)warp_total((unsigned)(int)(p.units >> 108));
    for (int shift = 81; shift >= 0; shift -= 27)
        sum = sum * (1 << 27) + warp_total((unsigned)(p.units >> shift) & piece);
    p.units = sum;
    p.flags = warp_or(p.flags);
    return p;
}

/* Every thread gets the sum of its block. Two calls need a barrier between them. All places are
   read, at once, and those of warps that are not there hold 0: a condition for each would make the
   reads wait for each other. */
static inline __device__ struct partial block_partial(struct partial p)
{
    const unsigned most = MOST_THREADS / 32;
    __shared__ struct partial of_warp[most];
    p = warp_partial(p);
    if (threadIdx.x % 32 == 0)
        of_warp[threadIdx.x / 32] = p;
    if (threadIdx.x >= blockDim.x / 32 && threadIdx.x < most)
        of_warp[threadIdx.x] = (struct partial){};
    __syncthreads();
    struct partial sum[most];
#pragma unroll
    for (unsigned w = 0; w < most; w++)
        sum[w] = of_warp[w];
#pragma unroll
    for (unsigned half = most / 2; half > 0; half /= 2) {
#pragma unroll
        for (unsigned w = 0; w < half; w++)
            sum[w] = add(sum[w], sum[w + half]);
    }
    return sum[0];
}

/* Adds the accumulators of all threads to limb[]: their lower halves, and the upper ones of those
   below. To carry over first would be a long chain. */
static inline __device__ void block_limbs(accumulators a, word *limb)
{
    __syncthreads();
    for (unsigned k = threadIdx.x / 32; k <= NEGATIVE; k += blockDim.x / 32) {
        word sum = 0;
        for (unsigned t = threadIdx.x % 32; t < blockDim.x; t += 32) {
            if (k < NEGATIVE)
                sum += (word)(unsigned)a[k][t] - (unsigned)a[NEGATIVE + k][t];
            else
                sum += a[BEYOND][t] - a[BEYOND + 1][t];
            if (k > 0)
                sum += (a[k - 1][t] >> 32) - (a[NEGATIVE + k - 1][t] >> 32);
        }
        for (int offset = 16; offset > 0; offset /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, offset);
        if (threadIdx.x % 32 == 0)
            atomicAdd(&limb[k], sum);
    }
}

/* What a block has beyond its units, as a long whole number. Zero at first; the barrier after this
   is the caller's. */
static inline __device__ word *shared_limbs(void)
{
    __shared__ word limb[LIMBS];
    if (threadIdx.x < LIMBS)
        limb[threadIdx.x] = 0;
    return limb;
}

/* Device memory for a grid: slots for the blocks, as in step 09, and limbs that blocks add to:
   whole numbers may come in any order. Three launches take turns in three sets of limbs. The last
   epoch before they come again, 2^32 - 1, is a multiple of 3: so the turns go on across it. */
struct exact_slots {
    struct slots slots;
    word *limb;
};

enum { PARTIAL_WORDS = 4, FLAGS = 5, LIMB_SETS = 3 };

/* The k-th word of a slot. Four threads write a slot, and for those who collect it they are
   neighbours. */
static inline __device__ word partial_word(struct partial p, unsigned epoch, unsigned k)
{
    int128 all = p.units * (1 << FLAGS) + p.flags;
    return (word)epoch << 32 | (unsigned)(all >> 32 * k);
}

/* collect_together() for slots of four words. */
static inline __device__ struct partial collect_partial(const volatile word *slot, bool has_one,
                                                        unsigned epoch)
{
    word w[PARTIAL_WORDS] = {};
    bool here = !has_one;
    do {
        if (has_one) {
            here = true;
            for (int k = 0; k < PARTIAL_WORDS; k++)
                w[k] = slot[k];
            for (int k = 0; k < PARTIAL_WORDS; k++)
                here = here && w[k] >> 32 == epoch;
        }
    } while (__any_sync(0xffffffff, !here));
    int128 all = (int)w[3];
    for (int k = 2; k >= 0; k--)
        all = all * (1LL << 32) + (unsigned)w[k];
    struct partial p = {all >> FLAGS, (unsigned)all & ((1 << FLAGS) - 1)};
    return p;
}

/* From 2^-126 to 2^127. */
static inline __device__ float power_of_two(int exponent)
{
    return __int_as_float((exponent + 127) << 23);
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
    int half = exponent / 2; /* in two steps: 2^-149 is less than power_of_two() has */
    float sum = (float)kept * power_of_two(half) * power_of_two(exponent - half);
    return minus ? -sum : sum;
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

static inline __device__ word *limb_set(struct exact_slots slots, unsigned turn)
{
    return slots.limb + turn % LIMB_SETS * LIMBS;
}

/* Adds the block's limbs to those in device memory. Whoever sees what thread 0 writes after this,
   sees them. */
static inline __device__ void give_limbs(const word *limb, word *all)
{
    if (threadIdx.x < LIMBS)
        atomicAdd(&all[threadIdx.x], limb[threadIdx.x]);
    __threadfence();
    __syncthreads();
}

/* limb[] gets what all blocks gave. */
static inline __device__ void take_limbs(word *limb, const volatile word *all)
{
    __threadfence();
    if (threadIdx.x < LIMBS)
        limb[threadIdx.x] = all[threadIdx.x];
    __syncthreads();
}

/* Each block hands over what it has: its partial sum, and, if the flags say so, limb[]. */
static inline __device__ void give_sum(struct partial p, const word *limb, struct exact_slots slots,
                                       unsigned epoch)
{
    volatile word *slot = &slots.slots.slot[PARTIAL_WORDS * blockIdx.x];
    if (p.flags & (IN_LIMBS | FAR_BELOW))
        give_limbs(limb, limb_set(slots, epoch));
    if (threadIdx.x < PARTIAL_WORDS)
        slot[threadIdx.x] = partial_word(p, epoch, threadIdx.x);
}

/* Block 0 takes what all blocks gave; limb[] gets all limbs, if they matter: then IN_LIMBS says so.
   The next launch finds its set of limbs zero. The barrier: block_partial() uses its shared memory
   again. */
static inline __device__ struct partial take_sums(word *limb, unsigned place, size_t n,
                                                  struct exact_slots slots, unsigned epoch)
{
    struct partial sum = {};
    if (threadIdx.x < LIMBS)
        limb_set(slots, epoch % LIMB_SETS + 1)[threadIdx.x] = 0;
    __syncthreads();
    for (unsigned first = 0; first < gridDim.x; first += blockDim.x) {
        unsigned i = first + threadIdx.x;
        const volatile word *slot = &slots.slots.slot[PARTIAL_WORDS * i];
        sum = add(sum, collect_partial(slot, i < gridDim.x, epoch));
    }
    sum = block_partial(sum);
    if (limbs_matter(sum, place, n)) { /* else the fence would only cost time */
        sum.flags |= IN_LIMBS;
        take_limbs(limb, limb_set(slots, epoch));
    }
    end_epoch(slots.slots, epoch);
    return sum;
}

/* One thread: the sum of n floats as a float. If IN_LIMBS is there, limb[] counts, and is eaten. */
static inline __device__ float rounded(struct partial p, unsigned place, size_t n, word *limb)
{
    unsigned both = HAS_PLUS_INFINITY | HAS_MINUS_INFINITY;
    if ((p.flags & ~FAR_BELOW) == NOT_MINUS_ZERO) /* nearly always: the shortest way */
        return nearest_of(p.units, place);
    if (n == 0)
        return 0.0f;
    if ((p.flags & both) == both)
        return __uint_as_float(0x7fffffff);
    if (p.flags & both)
        return p.flags & HAS_PLUS_INFINITY ? INFINITY : -INFINITY;
    if (!(p.flags & NOT_MINUS_ZERO))
        return -0.0f;
    for (int k = 0; k < 4; k++) {
        long long part = k < 3 ? (unsigned)(p.units >> 32 * k) : (long long)(p.units >> 96);
        limb[place / 32 + k] += (word)(part * (1LL << place % 32));
    }
    long long sum[LIMBS]; /* in registers */
    for (int k = 0; k < LIMBS; k++)
        sum[k] = (long long)limb[k];
    return nearest_float(sum);
}

/* All threads come here, each with units of 2^(place - 150), with flags, and, if these say so, with
   more in the limbs of its block. */
static inline __device__ void finish_exactly(word *limb, struct partial p, unsigned place, size_t n,
                                             struct exact_slots slots, unsigned epoch, float *out)
{
    p = block_partial(p);
    if (gridDim.x > 1) {
        give_sum(p, limb, slots, epoch);
        if (blockIdx.x > 0)
            return;
        p = take_sums(limb, place, n, slots, epoch);
    } else if (limbs_matter(p, place, n)) {
        p.flags |= IN_LIMBS;
    }
    if (threadIdx.x == 0)
        *out = rounded(p, place, n, limb);
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

/* What lies behind the end of the array becomes `filling`. Returns how many float4 that are. */
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

/* The tiles of this block, one float after another. Returns the flags. */
template <int LOADS>
static inline __device__ unsigned accumulate(accumulators a, const float *in, size_t n)
{
    struct parts p = parts_of(in, n);
    unsigned tile = LOADS * blockDim.x, added = 2, flags = IN_LIMBS;
    float rest = edge(in, n, p);
    const float4 *body = (const float4 *)(in + p.head), none = {-0.0f, -0.0f, -0.0f, -0.0f};
    clear(a);

    for (size_t first = (size_t)blockIdx.x * tile; first < p.vectors;
         first += (size_t)gridDim.x * tile) {
        float4 v[LOADS];
        load_tile<LOADS>(body + first, p.vectors - first, v);
        cut_tile<LOADS>(p.vectors - first, none, v);
#pragma unroll
        for (int k = 0; k < LOADS; k += BATCH / 4) {
            float x[BATCH];
            members<BATCH>(v + k, x);
            flags |= take_specials<BATCH>(x);
#pragma unroll
            for (int i = 0; i < BATCH; i++)
                add_float(a, x[i]);
        }
        added += 4 * LOADS;
        if (added > MOST_ADDED - 4 * LOADS) {
            carry_over(a);
            added = 2; /* what is left, and the rest */
        }
    }
    flags |= take_specials<1>(&rest);
    add_float(a, rest);
    return flags;
}

/* Blocks of s->block threads, up to per_sm on each SM, a tile of `loads` float4 a thread for each;
   and their slots. */
static inline unsigned exact_grid(const struct sum *s, size_t loads, unsigned per_sm)
{
    unsigned tiles = blocks_for(s->n, s->block * loads * 4), most = per_sm * s->sms;
    return tiles < most ? tiles : most;
}

#define EXACT_BYTES(words) (SLOT_BYTES(words) + LIMB_SETS * sizeof(word) * LIMBS)

/* So many words for slots, and the sets of limbs behind them: all zero at first. */
static inline struct exact_slots exact_slots_in(void *memory, unsigned words)
{
    struct exact_slots slots = {slots_in(memory, words), NULL};
    slots.limb = slots.slots.slot + words;
    return slots;
}

/* Slots for 64 blocks on each SM, zeroed once: every launch leaves them ready for the next. */
static inline struct exact_slots lesson_exact_slots(const struct sum *s)
{
    static void *memory;
    unsigned words = PARTIAL_WORDS * 64 * s->sms;
    if (memory == NULL) {
        CUDA_CHECK(cudaMalloc(&memory, EXACT_BYTES(words)));
        CUDA_CHECK(cudaMemset(memory, 0, EXACT_BYTES(words)));
    }
    return exact_slots_in(memory, words);
}

#endif
