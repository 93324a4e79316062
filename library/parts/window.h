/*
 * window.h: the sums of floats whose exponents lie close together, in doubles, without rounding;
 * steps 13 and 11.
 */
#ifndef WINDOW_H
#define WINDOW_H

#include "exact.h"
#include "tile.h"

/*
 * A double has 53 bits. Let the exponents of 16 floats lie within 26 binades, from e = low on. Each
 * is a whole number of units of 2^(low - 150), below 2^(24 + 25); all 16 together are at most 2^53.
 * So 15 additions of doubles round nothing, and the sum is a whole number of 64 bits. With 8 floats
 * there is room for 27 binades.
 */
#define WINDOW(count) ((count) == 8 ? 27 : 26)
#define BELOW         20 /* so many binades of it lie below the largest float that was looked at */
#define FINE          32 /* so many below it are added as whole numbers of 2^-32 units */
#define MOST_OUTSIDE  2  /* of the 32 floats that were looked at, below the window */

/* A lane's sample: 32 floats are looked at, in 8 places all over the array, 4 in each. All warps
   ask for them, so few lines of memory count more than many places. */
static inline __device__ size_t sample_index(size_t n)
{
    unsigned lane = threadIdx.x % 32, neighbour = n < 32 ? 0 : lane % 4;
    return n / 32 * 4 * (lane / 4) + neighbour;
}

/* Where the window begins, the same for the whole grid: so many binades below the largest of the 32
   samples of a warp; 0: there is none, since the exponents of the array lie too far apart. */
static inline __device__ unsigned window_of(float sample)
{
    unsigned size = twice(sample), exponent = size < 0xff000000 ? size >> 24 : 0;
    int low = (int)warp_max(exponent) - BELOW, most = 255 - WINDOW(8);
    low = low <= FINE ? FINE + 1 : low > most ? most : low;
    unsigned outside = __ballot_sync(0xffffffff, size > 0 && size < (unsigned)low << 24);
    return __popc(outside) > MOST_OUTSIDE ? 0 : (unsigned)low;
}

/* What a thread has: whole numbers of units, of 2^-32 of them, and of 2^32. */
struct exact_thread {
    unsigned first; /* the window's, doubled: where it begins, in the upper 8 bits */
    unsigned flags;
    long long units, fine, high;
};

/* Doubled, the bits of a float are its exponent, without the sign, and its fraction. Less those of
   the window's first float they are its place: below WINDOW << 24 in the window. What lies below it
   wraps round and is large, and so does a zero. */
static inline __device__ unsigned place_of(float x, unsigned first)
{
    return twice(x) - first;
}

/* A float in the window as a double, in units. Made of its bits: a conversion takes longer than
   these three steps. */
static inline __device__ double units_of(float x, unsigned place)
{
    const unsigned first = 1023 + 23; /* the exponent of 2^23 units, the window's first float */
    unsigned sign = __float_as_uint(x) & 0x80000000;
    return __hiloint2double((int)(sign | ((place >> 4) + (first << 20))), (int)(place << 28));
}

/* Adds any float as a whole number: near the window to what the thread has, else to the limbs of
   its warp. */
static inline __device__ void add_whole(word *limb, struct exact_thread *t, float x)
{
    unsigned bits = __float_as_uint(x), e = twice(x) >> 24, m = bits & 0x7fffff;
    t->flags |= flags_of(x);
    if (e == 255)
        return;
    unsigned from = e + FINE - (t->first >> 24); /* large below the fine ones: it wraps round */
    bool near = from < FINE + WINDOW(8);
    word whole = (word)(e > 0 ? m | 0x800000 : 2 * m) << (near ? from : e) % 32;
    long long sign = bits >> 31 ? -1 : 1;
    if (near && from < FINE) {
        t->fine += sign * (long long)whole;
    } else if (near) {
        t->units += sign * (long long)whole;
    } else if (whole > 0) {
        t->flags |= e < t->first >> 24 ? FAR_BELOW : IN_LIMBS;
        atomicAdd(&limb[e / 32], (word)(sign * (unsigned)whole));
        atomicAdd(&limb[e / 32 + 1], (word)(sign * (unsigned)(whole >> 32)));
    }
}

/* Are all floats in the window? */
template <int COUNT, int ROOM> static inline __device__ bool in_window(const unsigned *place)
{
    unsigned farthest = 0;
#pragma unroll
    for (int k = 0; k < COUNT; k++)
        farthest = max(farthest, place[k]);
    return farthest < (unsigned)WINDOW(ROOM) << 24;
}

/* Adds a batch float by float: zeros add nothing, and what is not in the window is added by itself.
   Bit k of `others` is float k. */
template <int COUNT, int ROOM>
static inline __device__ void add_apart(word *limb, struct exact_thread *t, const float *x)
{
    unsigned others = 0, not_minus_zero = 0;
#pragma unroll
    for (int first = 0; first < COUNT; first += ROOM) {
        double sum[4] = {};
#pragma unroll
        for (int k = first; k < first + ROOM; k++) {
            unsigned place = place_of(x[k], t->first);
            if (place < (unsigned)WINDOW(ROOM) << 24)
                sum[k % 4] += units_of(x[k], place);
            else if (twice(x[k]) != 0)
                others |= 1u << k;
            not_minus_zero |= __float_as_uint(x[k]) ^ 0x80000000;
        }
        t->units += llrint((sum[0] + sum[1]) + (sum[2] + sum[3]));
    }
    t->flags |= not_minus_zero ? NOT_MINUS_ZERO : 0;
    for (; others != 0; others &= others - 1) {
        int which = __ffs((int)others) - 1;
        float other = x[0];
#pragma unroll
        for (int k = 1; k < COUNT; k++) /* registers have no index */
            other = k == which ? x[k] : other;
        add_whole(limb, t, other);
    }
    t->units += t->fine >> 32;
    t->fine &= 0xffffffff;
}

/* Adds a batch of COUNT floats, ROOM of them in one double: in four, so that additions wait less
   for each other. */
template <int COUNT, int ROOM>
static inline __device__ void add_batch(word *limb, struct exact_thread *t, const float *x)
{
    unsigned place[COUNT];
#pragma unroll
    for (int k = 0; k < COUNT; k++)
        place[k] = place_of(x[k], t->first);
    if (!in_window<COUNT, ROOM>(place)) {
        add_apart<COUNT, ROOM>(limb, t, x);
        return;
    }
    t->flags |= NOT_MINUS_ZERO;
#pragma unroll
    for (int first = 0; first < COUNT; first += ROOM) {
        double sum[4];
#pragma unroll
        for (int k = first; k < first + ROOM; k++) {
            double units = units_of(x[k], place[k]);
            sum[k % 4] = k < first + 4 ? units : sum[k % 4] + units;
        }
        t->units += llrint((sum[0] + sum[1]) + (sum[2] + sum[3]));
    }
}

/* After the end of the array comes the window's first float, and is taken off the units again; or
   -0, if all that was looked at may have been zeros. */
template <int LOADS>
static inline __device__ void fill_tile(struct exact_thread *t, size_t left, float4 *v)
{
    bool zeros = t->first == (FINE + 1) << 24;
    float fill = zeros ? -0.0f : __uint_as_float(t->first / 2);
    const float4 filling = {fill, fill, fill, fill};
    unsigned filled = cut_tile<LOADS>(left, filling, v);
    t->units -= zeros ? 0 : (long long)filled << 25;
}

/* The tiles of this block, as thread_sum() of step 08 has them, in batches of COUNT floats. The
   first tile is asked for before anything is known of the window. limb[] is this warp's. THREADS
   and ONE_TILE: as load_tile() and accumulate() have them. CLEAR_EARLY: accumulators are cleared
   while the loads are in flight. *place: a unit of the sum is 2^(place - 150), or, if it is 0,
   all is in limbs. */
template <int LOADS, int COUNT, int THREADS = 0, bool ONE_TILE = false, bool CLEAR_EARLY = false>
static inline __device__ struct partial exact_thread_sum(accumulators a, word *limb,
                                                         const float *in, size_t n, unsigned *place)
{
    const int room = LOADS < 16 ? 8 : 16; /* small sums rather have the wider window */
    struct parts p = parts_of(in, n);
    const float4 *body = (const float4 *)(in + p.head);
    unsigned tile = LOADS * blockDim.x;
    float sample = n > 0 ? in[sample_index(n)] : 0.0f; /* to look at it now would be to wait */
    size_t first = (size_t)blockIdx.x * tile, left = first < p.vectors ? p.vectors - first : 0;
    float rest = head_or_tail(in, n, p);
    float4 v[LOADS];
    load_tile<LOADS, THREADS>(body + first, left, v);
    if (CLEAR_EARLY)
        clear(a);

    struct exact_thread t = {window_of(sample) << 24, 0, 0, 0, 0};
    if (t.first == 0) {
        if (!CLEAR_EARLY)
            clear(a);
        t.flags = accumulate<LOADS, THREADS, ONE_TILE>(a, limb, body, first, left, v, rest);
        const struct partial sum = {0, t.flags};
        *place = 0;
        return sum;
    }
    for (;;) {
        if (left < tile)
            fill_tile<LOADS>(&t, left, v);
#pragma unroll
        for (int k = 0; k < LOADS; k += COUNT / 4) {
            float x[COUNT];
            members<COUNT>(v + k, x);
            add_batch<COUNT, room>(limb, &t, x);
        }
        t.high += t.units >> 32;
        t.units &= 0xffffffff;
        if (ONE_TILE || left <= (size_t)gridDim.x * tile)
            break;
        first += (size_t)gridDim.x * tile;
        left -= (size_t)gridDim.x * tile;
        load_tile<LOADS, THREADS>(body + first, left, v);
    }
    /* Threads that have none got -0 of head_or_tail(). */
    if (__float_as_uint(rest) != 0x80000000)
        add_whole(limb, &t, rest);
    *place = (t.first >> 24) - FINE;
    const int128 coarse = t.units + (int128)t.high * (1LL << 32);
    const struct partial sum = {t.fine + coarse * (1LL << 32), t.flags};
    return sum;
}

#endif
