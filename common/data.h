/* data.h: the numbers that are summed. */
#ifndef DATA_H
#define DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pattern {
    PATTERN_UNIFORM,   /* in (-1, 1), both signs */
    PATTERN_POSITIVE,  /* in (0, 1] */
    PATTERN_ONES,      /* 1 everywhere */
    PATTERN_RAMP,      /* the whole numbers -5 to 7, over and over */
    PATTERN_CANCEL,    /* threes: large, small, minus the same large */
    PATTERN_NORMAL,    /* mean 0, deviation 1 */
    PATTERN_LOGNORMAL, /* e to the power of those */
    PATTERN_WIDE,      /* exponents over their whole range, neighbours far apart */
    PATTERN_HUGE,      /* positive, their sum between FLT_MAX / 4 and FLT_MAX / 2 */
    PATTERN_FAR,       /* around 10,000, deviation 0.58: uniform, and 10,000 */
    PATTERN_NAN,       /* uniform, with one NaN at a place drawn from the seed */
    PATTERN_COUNT
};

/* The name as typed after --pattern. */
const char *pattern_name(enum pattern pattern);

/* Sets *pattern and returns true, or returns false: no such name. */
bool pattern_from_name(const char *name, enum pattern *pattern);

/* Whether every number lies between -1 and 1. */
bool pattern_in_unit(enum pattern pattern);

/* Whether the value at a place changes with n. Where it does not, the first n
   numbers of a longer run are the numbers of n. */
bool pattern_depends_on_n(enum pattern pattern);

/* Fills x[0] to x[n-1], in parallel. The value at i is a function of pattern,
   seed, i (and n, see above) alone, so the same on every machine; of normal and
   lognormal the last bit may differ with the C library. */
void fill_data(float *x, size_t n, enum pattern pattern, uint64_t seed);

#endif
