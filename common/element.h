/* element.h: what the n elements are, where a variant sums others than floats (step 12). */
#ifndef ELEMENT_H
#define ELEMENT_H

#include "lesson.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* "float", "half", "bfloat16", "double", "int32". */
const char *element_name(enum element element);

/* Bytes of one element, and of the sum that is written: a float for half, bfloat16 and float, a
   double for double, 64 bits for int32. */
size_t element_bytes(enum element element);
size_t element_sum_bytes(enum element element);

/* The largest relative error of one addition of such a sum, with rounding to nearest: 2^-24, 2^-53
   for double, 0 for int32 (IEEE 754, formats binary32 and binary64). */
double element_roundoff(enum element element);

/* The element that is made from the float x of the data (data.h), as a float, which holds it
   exactly: rounded to nearest even, half to 11 bits and bfloat16 to 8. An int32 is x * 2^24, so
   that numbers below 1 are not all 0; what is too large becomes the nearest float that fits, a NaN
   becomes 0. */
float element_value(enum element element, float x);

/* The values of x[0] to x[n-1]: in `values`, or, where they are the floats themselves, x. */
const float *element_values(enum element element, const float *x, size_t n, float *values);

/* Writes the elements made from x[0] to x[n-1] to out, n * element_bytes() bytes, in parallel. */
void make_elements(enum element element, const float *x, size_t n, void *out);

#ifdef __cplusplus
}
#endif
#endif
