/* rivals.h: what the library is compared with. What a rival needs is not everywhere: where its file
   is not linked, its address here is NULL. */
#ifndef RIVALS_H
#define RIVALS_H

#include "lesson.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RIVAL extern const struct variant __attribute__((weak))

/* cub.cu. Sums of floats, by cub::DeviceReduce::Sum ... */
RIVAL cub_sum, newer_cub_sum;
RIVAL newer_cub_unordered, newer_cub_reproducible; /* in any order; the same bits on every GPU */
/* ... sums of all elements, in the accumulator that the library has for them; and from half to
   half, from bfloat16 to bfloat16. */
RIVAL cub_elements, newer_cub_elements, cub_own_half, cub_own_bfloat16;

RIVAL cublas_asum; /* cublas.cu: sums |x|, the nearest that cuBLAS has */
RIVAL thrust_sum;  /* thrust.cu: returns its sum to the host */

#undef RIVAL

#ifdef __cplusplus
}
#endif

#endif
