/*
 * sum_types.h: sum_f32() for elements of other types. The contract is that of sum_f32() in
 * sum_f32.h: same workspace, same statuses, nothing allocated, nothing waited for. What follows
 * says only what differs. sum_f32_workspace_bytes() is enough for all of them, and they may use one
 * workspace one after another, in one stream.
 */
#ifndef SUM_TYPES_H
#define SUM_TYPES_H

#include "sum_f32.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* in: n halves (__half, IEEE 754 binary16), aligned to 2 bytes and no better. Each becomes a float,
   exactly, and floats are added. So the error is at most depth * 2^-24 * (|in[0]| + ...), and the
   sum does not overflow at 65,504. With 132 SMs the depth is at most 33 up to 2^20 halves and 289
   up to 2^31. Round *out to a half yourself if you need one. */
enum sum_f32_status sum_f16(const void *in, size_t n, float *out,
                            const struct sum_f32_workspace *workspace, cudaStream_t stream);

/* in: n bfloat16 (__nv_bfloat16, the upper half of a float), aligned to 2 bytes and no better. As
   sum_f16(), on every GPU: those before compute capability 8.0, which cannot add bfloat16, have
   nothing of that to do here. */
enum sum_f32_status sum_bf16(const void *in, size_t n, float *out,
                             const struct sum_f32_workspace *workspace, cudaStream_t stream);

/* in and out: aligned to 8 bytes. The error is at most depth * 2^-53 * (|in[0]| + ...). With 132
   SMs the depth is at most 39 up to 2^20 doubles and 1047 up to 2^31. */
enum sum_f32_status sum_f64(const double *in, size_t n, double *out,
                            const struct sum_f32_workspace *workspace, cudaStream_t stream);

/* in: aligned to 4 bytes; out: to 8. The sum is exact: up to 2^32 integers of any size fit into 64
   bits. Of more it may not fit; then it is undefined, as any overflow in C. */
enum sum_f32_status sum_i32(const int32_t *in, size_t n, int64_t *out,
                            const struct sum_f32_workspace *workspace, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
