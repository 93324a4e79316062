/* multi_pass.h: how steps 01 to 05 get from one partial sum for each block to one sum. */
#ifndef MULTI_PASS_H
#define MULTI_PASS_H

#include "lesson.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sums in[0] to in[n - 1] in shares, one for each block: block b leaves its sum in partial[b]. It
   may overwrite in[]. */
typedef void pass_kernel(float *in, float *partial, size_t n);

/* Launches the kernel on s->in, then on the partial sums that it left, until one value is left, in
   s->out. A block has s->block threads, each sums per_thread elements, and shared_bytes of shared
   memory. Sets s->grid and s->depth. Ends the program, by CUDA_CHECK, if CUDA refuses a launch. */
void multi_pass_sum(struct sum *s, pass_kernel *kernel, unsigned per_thread, size_t shared_bytes);

#ifdef __cplusplus
}
#endif
#endif
