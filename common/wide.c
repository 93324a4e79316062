#include "wide.h"

#include <math.h>

#define LOW_HALF 0xffffffffu

/* Adds piece * 2^position, piece below 2^63, in two halves of 32 bits. */
static void add_piece(struct wide *sum, uint64_t piece, unsigned limb, int sign)
{
    sum->limb[limb] += sign * (int64_t)(piece & LOW_HALF);
    sum->limb[limb + 1] += sign * (int64_t)(piece >> 32);
}

void wide_add(struct wide *sum, uint64_t magnitude, unsigned shift, bool subtract)
{
    int sign = subtract ? -1 : 1;
    add_piece(sum, (magnitude & LOW_HALF) << shift % 32, shift / 32, sign);
    add_piece(sum, (magnitude >> 32) << shift % 32, shift / 32 + 1, sign);
}

/* Leaves 32 bits in every limb but the last, which keeps the sign. Shifting a
   negative number right rounds down, as gcc, clang and nvcc define it. */
void wide_carry(struct wide *sum)
{
    for (int k = 0; k + 1 < WIDE_LIMBS; k++) {
        sum->limb[k + 1] += sum->limb[k] >> 32;
        sum->limb[k] &= LOW_HALF;
    }
}

static unsigned bit(const struct wide *sum, int i)
{
    return (unsigned)(sum->limb[i / 32] >> i % 32) & 1;
}

static bool any_bit_below(const struct wide *sum, int end)
{
    for (int i = 0; i < end; i++) {
        if (bit(sum, i))
            return true;
    }
    return false;
}

double wide_round(const struct wide *sum, int bits)
{
    struct wide magnitude = *sum;
    wide_carry(&magnitude);
    bool negative = magnitude.limb[WIDE_LIMBS - 1] < 0;
    if (negative) {
        for (int k = 0; k < WIDE_LIMBS; k++)
            magnitude.limb[k] = -magnitude.limb[k];
        wide_carry(&magnitude);
    }

    int length = 32 * WIDE_LIMBS;
    while (length > 0 && !bit(&magnitude, length - 1))
        length--;
    int cut = length > bits ? length - bits : 0;
    uint64_t kept = 0;
    for (int i = length - 1; i >= cut; i--)
        kept = 2 * kept + bit(&magnitude, i);
    if (cut > 0 && bit(&magnitude, cut - 1)) {
        bool above_half = any_bit_below(&magnitude, cut - 1);
        kept += above_half || kept % 2 == 1;
    }
    double value = ldexp((double)kept, cut + WIDE_UNIT);
    return negative ? -value : value;
}
