/*
 * limbs.h: a whole number of 320 bits, wide enough for the sum of any floats, and its one rounding;
 * for the GPU and for the CPU.
 */
#ifndef LIMBS_H
#define LIMBS_H

#include <math.h>
#include <stdint.h>

#ifdef __cplusplus
#define HOST_AND_DEVICE __host__ __device__
#else
#define HOST_AND_DEVICE
#endif

/* The number is the sum of limb[k] * 2^(32 k), in units of 2^-150, half of the smallest float. A
   limb may hold more than its 32 bits, or less than nothing, until carry() has run. The largest
   float is below 2^278 units, so there is room for 2^41 of them, and a sign. */
enum { LIMBS = 10, UNIT = -150 };

/* Of a word that is not 0. */
static inline HOST_AND_DEVICE int leading_zeros(uint64_t word)
{
#ifdef __CUDA_ARCH__
    return __clzll((long long)word);
#else
    return __builtin_clzll(word);
#endif
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

/* The nearest float, ties to even; an infinity if that is beyond the largest. Eats limb[]. Results
   below 2^-126 need no rounding: every float, and so every sum of them, is a multiple of 2^-149. */
static inline HOST_AND_DEVICE float nearest_float(long long *limb)
{
    carry(limb);
    float sign = 1.0f;
    if (limb[LIMBS - 1] < 0) {
        sign = -1.0f;
        for (int k = 0; k < LIMBS; k++)
            limb[k] = -limb[k];
        carry(limb);
    }

    /* The upper two limbs hold at least 33 bits: 24 that stay, and more. Of the limbs below it only
       matters whether all are 0. No index depends on the number: so a GPU keeps it in registers. */
    uint64_t head = 0;
    int top = 0;
    bool below = false, lower = false;
    for (int k = 0; k < LIMBS; k++) {
        uint64_t second = k > 0 ? (uint64_t)limb[k - 1] : 0;
        if (limb[k] != 0) {
            head = (uint64_t)limb[k] << 32 | second;
            top = k;
            below = lower;
        }
        lower = lower || second != 0;
    }
    if (head == 0)
        return 0.0f;
    int rest = 40 - leading_zeros(head); /* bits of head that go */
    uint64_t kept = head >> rest, gone = head - (kept << rest), half = (uint64_t)1 << (rest - 1);
    if (gone > half || (gone == half && (below || kept % 2 == 1)))
        kept++;
    return sign * ldexpf((float)kept, rest + 32 * (top - 1) + UNIT);
}

#endif
