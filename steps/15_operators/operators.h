/*
 * operators.h: the questions of step 15, one for each operator, and what their answers are.
 */
#ifndef OPERATORS_H
#define OPERATORS_H

#include "lesson.h"
#include "task.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A NaN counts as larger than every number, so a NaN among the elements is the maximum. Of equal
   elements the first counts. Of no elements: -infinity, at NO_NUMBER. */
extern const struct task maximum_task; /* out[0] */
extern const struct task argmax_task; /* out[0] the element; its number, 64 bits, in out[1 and 2] */
extern const struct task argmax_packed_task; /* the same, of fewer than 2^32 */

/* out[0] the mean, out[1] the variance: the sum of (x - mean)^2 over n - 1, so a NaN for one
   element, and both are NaN for none. */
extern const struct task mean_variance_task;

/* out[0]: the logarithm of the sum of e to the power of each; of no elements -infinity. */
extern const struct task log_sum_exp_task;

/* out[0]: the root of the sum of squares. */
extern const struct task norm_task;

/* out[0]: the first half of the array times the second, element by element, summed. */
extern const struct task dot_task;

#ifdef __cplusplus
}
#endif

#define NO_NUMBER ((size_t)-1) /* of no element */

#endif
