/* stats.h: what many times of the same thing say. */
#ifndef STATS_H
#define STATS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct stats {
    double median, min, p90; /* in the unit of the values; p90 by nearest rank */
    size_t runs;
};

/* Sorts the values in place; count is at least 1. */
struct stats summarize(double *values, size_t count);

/* The 95 % confidence interval of the median lies between the values of rank
   *low and *high (counted from 0) of count sorted ones, whatever their
   distribution: each value is below the median with probability 1/2, so the
   number that are is binomial. J.-Y. Le Boudec, "Performance Evaluation of
   Computer and Communication Systems", 2010, section 2.2. Returns false below 6
   values, which give no such interval; count is at most 1000. */
bool median_interval(size_t count, size_t *low, size_t *high);

/* Whether that interval lies within tolerance * median of the median, on both
   sides. Sorts the values. */
bool median_settled(double *values, size_t count, double tolerance);

#ifdef __cplusplus
}
#endif

#endif
