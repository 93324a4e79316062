/* reference.h: the exact sum that every variant is judged by. */
#ifndef REFERENCE_H
#define REFERENCE_H

#include "element.h"

#include <stdbool.h>
#include <stddef.h>

struct exact_sum {
    double sum;           /* the exact sum, rounded once; NaN or infinite if the
                             numbers make it so, as in IEEE 754 */
    double sum_abs;       /* the exact sum of |x|, rounded once */
    float nearest;        /* the exact sum, rounded once to a float; of no use where the sum is
                             not finite */
    bool overflows;       /* the numbers are finite, yet the float nearest to their
                             sum is an infinity */
    bool exact_in_floats; /* whole numbers with sum of |x| at most 2^24: a float
                             holds every partial sum, so no order rounds */
    int64_t whole;        /* of int32 elements: the sum, modulo 2^64 */
};

/* The exact sum of x[0] to x[n-1], in parallel. Method: one integer for each
   sign and exponent that a float can have, collecting significands without any
   rounding; these are then added into one fixed-point number. After R. M. Neal,
   "Fast exact summation using small and large superaccumulators", 2015,
   arXiv:1505.05571. */
struct exact_sum sum_exactly(const float *x, size_t n);

/* The same of the elements that are made from x[0] to x[n-1], of this type (element.h). */
struct exact_sum sum_elements_exactly(enum element element, const float *x, size_t n);

#endif
