/*
 * window.h: the sums of floats whose exponents lie close together, in doubles, without rounding;
 * steps 13 and 11.
 */
#ifndef WINDOW_H
#define WINDOW_H

#include "exact.h"

/*
 * A double has 53 bits. Let the exponents of 16 floats lie within 26 binades, from e = low on. Each
 * is a whole number of 2^(low - 150), below 2^(24 + 25); all 16 together are at most 2^53. So 15
 * additions of doubles round nothing. With 8 floats there is room for 27 binades. The sum is then
 * moved into a whole number of 64 bits, which takes 2^10 of them.
 */
#define WINDOW(count)  ((count) == 8 ? 27 : 26)
#define BELOW          23 /* so many binades of it lie below the largest float that was looked at */
#define BELOW_IN_LARGE 21 /* ... in an array so large that many others may be larger still */
#define MOST_BATCHES   1000
#define MOST_OUTSIDE   2 /* of those 32 floats, below the window */

/* Twice the bits of one of 32 floats from all over the array: a warp sees all of them. */
static inline __device__ unsigned sample_of(const float *in, size_t n)
{
    return n > 0 ? twice(in[n / 32 * (threadIdx.x % 32)]) : 0;
}

/* Where the window begins, the same for the whole grid: so many binades below the largest of the 32
   floats; 0: there is none, since the exponents of the array lie too far apart. The least exponent
   is 1, and 255 stays above the window. */
template <int COUNT> static inline __device__ unsigned window_of(unsigned sample, int below)
{
    unsigned exponent = sample < 0xff000000 ? sample >> 24 : 0;
    int low = (int)warp_max(exponent) - below;
    low = low < 1 ? 1 : low > 255 - WINDOW(COUNT) ? 255 - WINDOW(COUNT) : low;
    unsigned outside = __ballot_sync(0xffffffff, sample > 0 && sample < (unsigned)low << 24);
    return __popc(outside) > MOST_OUTSIDE ? 0 : (unsigned)low;
}

/* Are all floats in the window? What lies below it wraps round and is large. Zeros lie in no
   window. */
template <int COUNT> static inline __device__ bool in_window(const float *x, unsigned low)
{
    unsigned farthest = 0;
#pragma unroll
    for (int k = 0; k < COUNT; k++)
        farthest = max(farthest, twice(x[k]) - (low << 24));
    return farthest < (unsigned)WINDOW(COUNT) << 24;
}

/* What a thread has. */
struct exact_thread {
    unsigned low;   /* where the window begins, or 0 */
    unsigned flags; /* with IN_LIMBS: what was added to the accumulators, since ... */
    unsigned added; /* ... they were carried over, this often */
    unsigned batches;
    long long units; /* of 2^(low - 150): the sum of so many batches */
};

/* The units go to the accumulators, in two pieces of up to 63 bits, so those must have carried. */
static inline __device__ void put_units(accumulators a, struct exact_thread *t)
{
    if (!(t->flags & IN_LIMBS))
        clear(a);
    t->flags |= IN_LIMBS;
    carry_over(a);
    bool minus = t->units < 0;
    word units = minus ? -(word)t->units : (word)t->units;
    unsigned group = t->low / 32, next = group + 1 < NEGATIVE ? group + 1 : BEYOND;
    if (minus) {
        group += NEGATIVE;
        next += next < BEYOND ? NEGATIVE : 1;
    }
    a[group][threadIdx.x] += (units & 0xffffffff) << t->low % 32;
    a[next][threadIdx.x] += (units >> 32) << t->low % 32;
    carry_over(a);
    t->units = t->batches = 0;
    t->added = 1;
}

/* Floats inside the window: four sums side by side, so that additions wait less for each other. */
template <int COUNT>
static inline __device__ void add_inside(struct exact_thread *t, const float *x)
{
    double sum[4] = {};
#pragma unroll
    for (int k = 0; k < COUNT; k++)
        sum[k % 4] += (double)x[k];
    /* times 2^(150 - low), which is made of its bits */
    double scale = __longlong_as_double((long long)(1023 + 150 - t->low) << 52);
    t->units += llrint(((sum[0] + sum[1]) + (sum[2] + sum[3])) * scale);
    t->batches++;
}

/* Is some float zero, and all others in the window? Zeros harm no sum. */
template <int COUNT> static inline __device__ bool zeros_in_window(const float *x, unsigned low)
{
    unsigned least = twice(x[0]), farthest = 0;
#pragma unroll
    for (int k = 1; k < COUNT; k++)
        least = min(least, twice(x[k]));
    if (least > 0)
        return false;
#pragma unroll
    for (int k = 0; k < COUNT; k++)
        farthest = max(farthest, twice(x[k]) == 0 ? 0 : twice(x[k]) - (low << 24));
    return farthest < (unsigned)WINDOW(COUNT) << 24;
}

template <int COUNT>
static inline __device__ void add_floats(accumulators a, struct exact_thread *t, float *x)
{
    if (in_window<COUNT>(x, t->low)) {
        t->flags |= NOT_MINUS_ZERO;
        add_inside<COUNT>(t, x);
    } else if (zeros_in_window<COUNT>(x, t->low)) {
        t->flags |= take_specials<COUNT>(x);
        add_inside<COUNT>(t, x);
    } else {
        if (!(t->flags & IN_LIMBS))
            clear(a);
        t->flags |= IN_LIMBS | take_specials<COUNT>(x);
#pragma unroll
        for (int k = 0; k < COUNT; k++)
            add_float(a, x[k]);
        t->added += COUNT;
    }
    if (t->batches == MOST_BATCHES)
        put_units(a, t);
    if (t->added > MOST_ADDED - BATCH) {
        carry_over(a);
        t->added = 1;
    }
}

/* The tiles of this block, as thread_sum() of step 08 has them. The first is asked for before
   anything is known of the window. */
template <int LOADS, int BINADES_BELOW = BELOW>
static inline __device__ struct exact_thread exact_thread_sum(accumulators a, const float *in,
                                                              size_t n)
{
    const int count = LOADS < 8 ? 8 : BATCH; /* small sums rather have the wider window */
    struct parts p = parts_of(in, n);
    const float4 *body = (const float4 *)(in + p.head);
    unsigned tile = LOADS * blockDim.x, sample = sample_of(in, n);
    size_t first = (size_t)blockIdx.x * tile, left = first < p.vectors ? p.vectors - first : 0;
    float rest = edge(in, n, p);
    float4 v[LOADS];
    load_tile<LOADS>(body + first, left, v);

    struct exact_thread t = {window_of<count>(sample, BINADES_BELOW), 0, 1, 0, 0};
    if (t.low == 0) {
        t.flags = accumulate<(LOADS < 4 ? 4 : LOADS)>(a, in, n);
        return t;
    }
    const float4 none = {-0.0f, -0.0f, -0.0f, -0.0f};
    for (;;) {
        cut_tile<LOADS>(left, none, v);
#pragma unroll
        for (int k = 0; k < LOADS; k += count / 4) {
            float x[count];
            members<count>(v + k, x);
            add_floats<count>(a, &t, x);
        }
        if (left <= (size_t)gridDim.x * tile)
            break;
        first += (size_t)gridDim.x * tile;
        left -= (size_t)gridDim.x * tile;
        load_tile<LOADS>(body + first, left, v);
    }
    if (__float_as_uint(rest) != 0x80000000) /* what edge() gives to threads that have none */
        add_floats<1>(a, &t, &rest);
    return t;
}

#endif
