/*
 * limbs.h: a whole number of 320 bits, wide enough for the sum of any floats, and its one rounding;
 * for the GPU and for the CPU.
 */
#ifndef LIMBS_H
#define LIMBS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
#define HOST_AND_DEVICE __host__ __device__
#else
#define HOST_AND_DEVICE
#endif

/* The number is the sum of limb[k] * 2^(32 k), in units of 2^-150, half of the smallest float. A
   limb may hold more than its 32 bits, or less than nothing, until carry() has run. The largest
   float is below 2^278 units, so there is room for 2^41 of them, and a sign. */
enum { LIMBS = 10, UNIT = -150 };

/* From 2^-126 to 2^127. */
static inline HOST_AND_DEVICE float power_of_two(int exponent)
{
    uint32_t bits = (uint32_t)(exponent + 127) << 23;
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* x * 2^exponent, in two steps: 2^-149 is less than power_of_two() has. */
static inline HOST_AND_DEVICE float scaled(float x, int exponent)
{
    return x * power_of_two(exponent / 2) * power_of_two(exponent - exponent / 2);
}

/* Leaves 32 bits in every limb but the last, which keeps the sign. A shift to the right rounds
   down, below zero too, as gcc, clang and nvcc define it. */
static inline HOST_AND_DEVICE void carry(long long *limb)
{
    for (int k = 0; k + 1 < LIMBS; k++) {
        limb[k + 1] += limb[k] >> 32;
        limb[k] &= 0xffffffff;
    }
}

/* The nearest float, ties to even; an infinity if that is beyond the largest. Overwrites limb[].
   From the top on, limbs go into one number until it has 31 bits or more. It gets one bit more,
   which says whether anything lies below: then the conversion to float rounds as if it saw all,
   below zero, too. Results below 2^-126 need no rounding: every sum of floats is a multiple of
   2^-149. */
static inline HOST_AND_DEVICE float nearest_float(long long *limb)
{
    carry(limb);
    const long long enough = 1 << 30;
    long long head = limb[LIMBS - 1];
    int last = LIMBS - 1;
    bool rest = false;
    for (int k = LIMBS - 2; k >= 0; k--) {
        if (-enough <= head && head < enough) {
            head = head * (1LL << 32) + limb[k];
            last = k;
        } else {
            rest = rest || limb[k] != 0;
        }
    }
    return scaled((float)(2 * head + rest), 32 * last + UNIT - 1);
}

#endif
