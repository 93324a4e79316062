/* wide.h: a fixed-point number wide enough for any sum of floats, exactly. */
#ifndef WIDE_H
#define WIDE_H

#include <stdbool.h>
#include <stdint.h>

/* The value is 2^-149 times the sum of limb[k] * 2^(32 k). Every float is a whole
   multiple of 2^-149, the smallest subnormal; the largest is below 2^277 of them;
   384 bits leave room for 2^64 addends and a sign. Each limb holds 32 bits once
   wide_carry() has run; between, its upper half collects carries. */
enum { WIDE_LIMBS = 12, WIDE_UNIT = -149 };
struct wide {
    int64_t limb[WIDE_LIMBS];
};

/* Adds magnitude * 2^(shift + WIDE_UNIT), or subtracts it; shift from 0 to 253.
   Call wide_carry() at least once in 2^29 additions. */
void wide_add(struct wide *sum, uint64_t magnitude, unsigned shift, bool subtract);
void wide_carry(struct wide *sum);

/* The value rounded once, to nearest with ties to even, to this many significant
   bits (1 to 53). 24 bits give what a float would hold if its exponents had no
   upper end; 53 bits the nearest double. */
double wide_round(const struct wide *sum, int bits);

#endif
