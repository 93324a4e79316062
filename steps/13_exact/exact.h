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
 * the last of each. Each thread has its own, in shared memory, 256 threads apart: lanes that
 * add to different accumulators never meet in a bank.
 */
enum {
    BATCH = 16,
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
    IN_LIMBS = 1, /* there is more in the accumulators than in `units` */
    HAS_NAN = 2,
    HAS_PLUS_INFINITY = 4,
    HAS_MINUS_INFINITY = 8,
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
    if (twice(x) > 0xff000000)
        flags |= HAS_NAN;
    else if (twice(x) == 0xff000000)
        flags |= x > 0 ? HAS_PLUS_INFINITY : HAS_MINUS_INFINITY;
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

/* What a thread, a block or the grid has: low + high * 2^32 units of 2^(place - 150), with the same
   place in the whole grid; and flags. The rest is in accumulators, and later in limbs. */
struct partial {
    word low;
    long long high;
    unsigned flags;
};

static inline __device__ struct partial partial_of(long long units, unsigned flags)
{
    struct partial p = {(unsigned)units, units >> 32, flags};
    return p;
}

static inline __device__ struct partial add(struct partial a, struct partial b)
{
    struct partial sum = {a.low + b.low, a.high + b.high, a.flags | b.flags};
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

/* All lanes get the sum of their warp: in pieces of 27 bits, so that no sum of 32 overflows.
   p.high has at most 72 bits less the sign. */
static inline __device__ struct partial warp_partial(struct partial p)
{
    const unsigned piece = (1 << 27) - 1;
    p.high += (long long)(p.low >> 32);
    word low = (p.low & 0xffffffff) | (word)p.high << 32; /* bits 0 to 63 */
    long long high = p.high >> 22;                        /* from bit 54 on */
    word a = warp_total((unsigned)low & piece), b = warp_total((unsigned)(low >> 27) & piece);
    word c = warp_total((unsigned)high & piece);
    long long d = (int)warp_total((unsigned)(high >> 27));
    struct partial sum;
    sum.low = a + ((b & 31) << 27);
    sum.high = (long long)(b >> 5) + (long long)(c << 22) + d * (1LL << 49);
    sum.flags = warp_or(p.flags);
    return sum;
}

/* Every thread gets the sum of its block. Two calls need a barrier between them. */
static inline __device__ struct partial block_partial(struct partial p)
{
    __shared__ struct partial of_warp[MOST_THREADS / 32];
    p = warp_partial(p);
    if (threadIdx.x % 32 == 0)
        of_warp[threadIdx.x / 32] = p;
    __syncthreads();
    p = of_warp[0];
    for (unsigned w = 1; w < blockDim.x / 32; w++)
        p = add(p, of_warp[w]);
    return p;
}

/* limb[] gets the sum of the accumulators of all threads that have some. */
static inline __device__ void block_limbs(accumulators a, bool mine, long long *limb)
{
    if (threadIdx.x == 0)
        limb[LIMBS - 1] = 0; /* the others are below */
    if (mine)
        carry_over(a);
    else
        clear(a);
    __syncthreads();
    for (unsigned k = threadIdx.x / 32; k <= NEGATIVE; k += blockDim.x / 32) {
        unsigned plus = k < NEGATIVE ? k : BEYOND, minus = k < NEGATIVE ? k + NEGATIVE : BEYOND + 1;
        long long sum = 0;
        for (unsigned t = threadIdx.x % 32; t < blockDim.x; t += 32)
            sum += (long long)(a[plus][t] - a[minus][t]);
        for (int offset = 16; offset > 0; offset /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, offset);
        if (threadIdx.x % 32 == 0)
            limb[k] = sum;
    }
    __syncthreads();
}

/* Device memory for a grid: four slots for each block, as in step 09, and limbs that blocks add to,
   zero before and after. Whole numbers may be added in any order. */
struct exact_slots {
    struct slots slots;
    word *limb;
};

enum { WORDS_OF_BLOCK = 4 };

static inline __device__ void post_partial(struct partial p, volatile word *slot, unsigned epoch)
{
    p.high += (long long)(p.low >> 32);
    const unsigned words[WORDS_OF_BLOCK] = {(unsigned)p.low, (unsigned)p.high,
                                            (unsigned)(p.high >> 32), p.flags};
    for (int k = 0; k < WORDS_OF_BLOCK; k++)
        slot[k] = (word)epoch << 32 | words[k];
}

/* Waits for the four words of a block; asks for all of them at once. */
static inline __device__ struct partial collect_partial(const volatile word *slot, unsigned epoch)
{
    word w[WORDS_OF_BLOCK];
    bool here;
    do {
        here = true;
        for (int k = 0; k < WORDS_OF_BLOCK; k++)
            w[k] = slot[k];
        for (int k = 0; k < WORDS_OF_BLOCK; k++)
            here = here && w[k] >> 32 == epoch;
    } while (!here);
    struct partial p = {w[0] & 0xffffffff, (long long)(w[2] << 32 | (w[1] & 0xffffffff)),
                        (unsigned)w[3]};
    return p;
}

/* Adds the block's limbs to those in device memory: whole numbers may come in any order. Whoever
   sees what thread 0 writes after this, sees them. */
static inline __device__ void give_limbs(const long long *limb, word *all)
{
    if (threadIdx.x < LIMBS)
        atomicAdd(&all[threadIdx.x], (word)limb[threadIdx.x]);
    __threadfence();
    __syncthreads();
}

/* limb[] gets what all blocks gave, and these are left at zero. */
static inline __device__ void take_limbs(long long *limb, word *all)
{
    __threadfence();
    if (threadIdx.x < LIMBS)
        limb[threadIdx.x] = (long long)atomicExch(&all[threadIdx.x], 0);
    __syncthreads();
}

/* The sums of all blocks, in block 0; the others return false. limb[] in shared memory is what this
   block has in limbs, and then what all have. */
static inline __device__ bool grid_partial(struct partial *p, long long *limb,
                                           struct exact_slots slots, unsigned epoch)
{
    if (p->flags & IN_LIMBS)
        give_limbs(limb, slots.limb);
    if (threadIdx.x == 0)
        post_partial(*p, &slots.slots.slot[WORDS_OF_BLOCK * blockIdx.x], epoch);
    if (blockIdx.x > 0)
        return false;

    struct partial sum = {};
    for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x)
        sum = add(sum, collect_partial(&slots.slots.slot[WORDS_OF_BLOCK * i], epoch));
    __syncthreads(); /* block_partial() uses its shared memory again */
    *p = block_partial(sum);
    if (p->flags & IN_LIMBS) /* else the fence would only cost time */
        take_limbs(limb, slots.limb);
    end_epoch(slots.slots, epoch);
    return true;
}

/* 2^(place - 150), from 2^-149 on: the bits of that float. */
static inline __device__ float unit_of(unsigned place)
{
    return __uint_as_float(place < 24 ? 1u << (place - 1) : (place - 23) << 23);
}

/* One thread: the sum of n floats as a float. Eats limb[], which counts if the flags say so. */
static inline __device__ float rounded(struct partial p, unsigned place, size_t n, long long *limb)
{
    if (n == 0)
        return 0.0f;
    unsigned both = HAS_PLUS_INFINITY | HAS_MINUS_INFINITY;
    if (p.flags & HAS_NAN || (p.flags & both) == both)
        return __uint_as_float(0x7fffffff);
    if (p.flags & both)
        return p.flags & HAS_PLUS_INFINITY ? INFINITY : -INFINITY;
    if (!(p.flags & NOT_MINUS_ZERO))
        return -0.0f;
    p.high += (long long)(p.low >> 32);
    p.low &= 0xffffffff;
    if (!(p.flags & IN_LIMBS) && p.high == (int)p.high)
        return (float)(p.high << 32 | (long long)p.low) * unit_of(place);
    long long parts[3] = {(long long)p.low, p.high & 0xffffffff, p.high >> 32};
    for (int k = 0; k < 3; k++)
        limb[place / 32 + k] += parts[k] * (1LL << place % 32);
    return nearest_float(limb);
}

/* All threads come here, each with `units` of 2^(place - 150), with flags, and, if these say so,
   with what is in its accumulators. */
static inline __device__ void finish_exactly(accumulators a, long long units, unsigned flags,
                                             unsigned place, size_t n, struct exact_slots slots,
                                             unsigned epoch, float *out)
{
    __shared__ long long limb[LIMBS];
    if (threadIdx.x < LIMBS)
        limb[threadIdx.x] = 0; /* as it stays if the units are all there is */
    struct partial p = block_partial(partial_of(units, flags));
    if (p.flags & IN_LIMBS)
        block_limbs(a, flags & IN_LIMBS, limb);
    if (gridDim.x > 1 && !grid_partial(&p, limb, slots, epoch))
        return;
    if (threadIdx.x == 0)
        *out = rounded(p, place, n, limb);
}

/* LOADS float4 for each thread of a tile, all asked for at once, as far as the array goes. */
template <int LOADS>
static inline __device__ void load_tile(const float4 *tile, size_t left, float4 *v)
{
    const float4 *mine = tile + threadIdx.x;
    if (left >= LOADS * blockDim.x) {
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            v[k] = mine[k * blockDim.x];
    } else {
#pragma unroll
        for (int k = 0; k < LOADS; k++) {
            if (threadIdx.x + k * blockDim.x < left)
                v[k] = mine[k * blockDim.x];
        }
    }
}

/* What lies behind the end of the array becomes `none`, which adds nothing. */
template <int LOADS> static inline __device__ void cut_tile(size_t left, float4 none, float4 *v)
{
    if (left >= LOADS * blockDim.x)
        return;
#pragma unroll
    for (int k = 0; k < LOADS; k++) {
        if (threadIdx.x + k * blockDim.x >= left)
            v[k] = none;
    }
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
        for (int k = 0; k < LOADS; k += 4) {
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

#define EXACT_BYTES(words) (SLOT_BYTES(words) + LIMBS * sizeof(word))

/* So many words for slots, and the limbs behind them. */
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
    unsigned words = WORDS_OF_BLOCK * 64 * s->sms;
    if (memory == NULL) {
        CUDA_CHECK(cudaMalloc(&memory, EXACT_BYTES(words)));
        CUDA_CHECK(cudaMemset(memory, 0, EXACT_BYTES(words)));
    }
    return exact_slots_in(memory, words);
}

#endif
