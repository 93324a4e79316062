/*
 * cpu.h: three ways to add up floats on one CPU core, in plain C.
 *
 * x holds n floats, n from 0. Each function returns their sum as a float, 0 for n = 0; there are
 * no errors to return. The error of each is at most depth * 2^-24 * the sum of |x|.
 */
#ifndef CPU_H
#define CPU_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One after another: the first element goes through all n - 1 additions.
   Source: Higham, The accuracy of floating point summation, 1993, section 3. */
float serial_sum(const float *x, size_t n);
size_t serial_depth(size_t n);

/* The sum of the first half plus the sum of the second, and so on down to a few elements: a tree.
   Source: Higham 1993, section 3 (pairwise summation). */
float pairwise_sum(const float *x, size_t n);
size_t pairwise_depth(size_t n);

/* One after another, and what each addition rounds away goes into the next one.
   The bound is 2u + O(n u^2) with u = 2^-24, as if two additions deep and a little more.
   Source: Higham 1993, section 4 (compensated summation); Goldberg, What every computer
   scientist should know about floating-point arithmetic, 1991, theorem 8. Both leave the
   constant of the second term open: 4 is what we allow. */
float kahan_sum(const float *x, size_t n);
size_t kahan_depth(size_t n);

#ifdef __cplusplus
}
#endif
#endif
