/*
 * sum_exact.h: the sum of n floats without rounding, but for the last: the float that is nearest to
 * the exact sum, ties to even. The contract is that of sum_f32() in sum_f32.h: same workspace, same
 * statuses, nothing allocated, nothing waited for. What follows says only what differs.
 */
#ifndef SUM_EXACT_H
#define SUM_EXACT_H

#include "sum_f32.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Queues *out = the nearest float to in[0] + ... + in[n - 1]. The same elements give the same bits
 * in any order, from any start, on any GPU, and on the CPU (steps/13_exact/cpu_exact.c). The sum is
 * infinite only if the exact sum is beyond the largest float by half a unit or more; with NaN or
 * infinities among the elements it is what IEEE 754 makes of them; it is -0 only if n > 0 and all
 * elements are -0. n: up to 2^35, or 2^29 for each SM of a GPU that has fewer than 64, or 2^28 if
 * it has one (digits_of() of step 13); of more it returns SUM_F32_BAD_ARGUMENT. The workspace must
 * have all that sum_f32_workspace_bytes() asks for. Where n is at most 4096, 8 bytes are enough:
 * that sum neither reads nor writes them.
 */
enum sum_f32_status sum_f32_exact(const float *in, size_t n, float *out,
                                  const struct sum_f32_workspace *workspace, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
