#include "data.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The generator counts: number i is a hash of seed and i, so that every thread
   can begin anywhere. The hash is the finaliser of SplitMix64: Steele, Lea and
   Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014, with
   the constants of Stafford's "Mix13", as in Vigna's splitmix64.c. */
static uint64_t hash(uint64_t seed, uint64_t i)
{
    uint64_t z = seed * 0xd1342543de82ef95u + (i + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* 24 random bits: as many as a float's significand has, so nothing is rounded. */
static int32_t random24(uint64_t seed, uint64_t i)
{
    return (int32_t)(hash(seed, i) >> 40);
}

/* An odd multiple of 2^-24: never 0, never 1. */
static float uniform(uint64_t seed, size_t i, size_t n)
{
    (void)n;
    return (float)(2 * random24(seed, i) + 1 - (1 << 24)) * 0x1p-24f;
}

static float positive(uint64_t seed, size_t i, size_t n)
{
    (void)n;
    return (float)(random24(seed, i) + 1) * 0x1p-24f;
}

static float one(uint64_t seed, size_t i, size_t n)
{
    (void)seed, (void)i, (void)n;
    return 1.0f;
}

/* 13 divides no power of two, and a whole run of 13 sums to 13, not to 0: a
   block that is dropped or summed twice always shows. */
static float ramp(uint64_t seed, size_t i, size_t n)
{
    (void)seed, (void)n;
    return (float)(int)(i % 13) - 5.0f;
}

/* Beside 2^23 or more, the small term loses all its bits but one or none. */
static float cancel(uint64_t seed, size_t i, size_t n)
{
    float large = 0x1p23f + (float)(random24(seed, i / 3) >> 1);
    switch (i % 3) {
    case 0:
        return large;
    case 1:
        return uniform(seed, i, n);
    default:
        return -large;
    }
}

/* Far from 0, and near each other: their squares agree in all digits that a float has. */
static float far(uint64_t seed, size_t i, size_t n)
{
    return 10000.0f + uniform(seed, i, n);
}

/* A number between 0 and 1, never 0. */
static double share(uint64_t seed, uint64_t i)
{
    return (random24(seed, i) + 1) * 0x1p-24;
}

/* G. E. P. Box and M. E. Muller, "A note on the generation of random normal deviates", Ann. Math.
   Statist. 29 (1958). */
static float normal(uint64_t seed, size_t i, size_t n)
{
    const double turn = 6.283185307179586;
    (void)n;
    return (float)(sqrt(-2 * log(share(seed, 2 * i))) * cos(turn * share(seed, 2 * i + 1)));
}

static float lognormal(uint64_t seed, size_t i, size_t n)
{
    return expf(normal(seed, i, n));
}

/* Any exponent, from that of the smallest floats to the largest that n of them allow without an
   infinity; so neighbours are far apart. */
static float wide(uint64_t seed, size_t i, size_t n)
{
    int top = FLT_MAX_EXP - 1;
    for (size_t rest = n; rest > 0; rest /= 2)
        top--;
    uint64_t h = hash(seed, i);
    int lowest = FLT_MIN_EXP - FLT_MANT_DIG,
        exponent = lowest + (int)(h % (uint64_t)(top - lowest));
    float x = ldexpf(1.0f + (float)(h >> 41) * 0x1p-23f, exponent);
    return h >> 40 & 1 ? -x : x;
}

/* Half of FLT_MAX at most in total: rounding at worst doubles what each addition
   adds to a serial sum of positive terms, so no order passes FLT_MAX. */
static float huge(uint64_t seed, size_t i, size_t n)
{
    double share = (double)FLT_MAX / 2 / (double)n;
    return (float)(share * (0.5 + 0.5 * random24(seed, i) * 0x1p-24));
}

static const struct {
    const char *name;
    float (*value)(uint64_t seed, size_t i, size_t n);
    bool depends_on_n, in_unit;
} patterns[PATTERN_COUNT] = {
    [PATTERN_UNIFORM] = {"uniform", uniform, false, true},
    [PATTERN_POSITIVE] = {"positive", positive, false, true},
    [PATTERN_ONES] = {"ones", one, false, true},
    [PATTERN_RAMP] = {"ramp", ramp, false, false},
    [PATTERN_CANCEL] = {"cancel", cancel, false, false},
    [PATTERN_NORMAL] = {"normal", normal, false, false},
    [PATTERN_LOGNORMAL] = {"lognormal", lognormal, false, false},
    [PATTERN_WIDE] = {"wide", wide, true, false},
    [PATTERN_HUGE] = {"huge", huge, true, false},
    [PATTERN_FAR] = {"far", far, false, false},
    [PATTERN_NAN] = {"nan", uniform, true, false},
};

const char *pattern_name(enum pattern pattern)
{
    return patterns[pattern].name;
}

bool pattern_from_name(const char *name, enum pattern *pattern)
{
    for (int p = 0; p < PATTERN_COUNT; p++) {
        if (strcmp(patterns[p].name, name) == 0) {
            *pattern = (enum pattern)p;
            return true;
        }
    }
    return false;
}

bool pattern_in_unit(enum pattern pattern)
{
    return patterns[pattern].in_unit;
}

bool pattern_depends_on_n(enum pattern pattern)
{
    return patterns[pattern].depends_on_n;
}

void fill_data(float *x, size_t n, enum pattern pattern, uint64_t seed)
{
    float (*value)(uint64_t, size_t, size_t) = patterns[pattern].value;
    if (value == uniform) { /* most arrays: without a call for each number, in half of the time */
#pragma omp parallel for schedule(static)
        for (size_t i = 0; i < n; i++)
            x[i] = uniform(seed, i, n);
    } else {
#pragma omp parallel for schedule(static)
        for (size_t i = 0; i < n; i++)
            x[i] = value(seed, i, n);
    }
    if (pattern == PATTERN_NAN && n > 0)
        x[hash(seed, n) % n] = NAN;
}
