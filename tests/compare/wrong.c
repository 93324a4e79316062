/* wrong.c: for tests/test_compare.py, linked with --wrap: an exact sum that is not, a sum that is never
   written, maxima in place of the sums of rows. */
#include "library/reduce_rows.h"
#include "library/sum_f32.h"

enum sum_f32_status __wrap_sum_f32_exact(const float *in, size_t n, float *out, const struct sum_f32_workspace *w,
                                         cudaStream_t stream);
enum sum_f32_status __wrap_sum_f32(const float *in, size_t n, float *out, const struct sum_f32_workspace *w,
                                   cudaStream_t stream);
enum sum_f32_status __real_sum_f32(const float *in, size_t n, float *out, const struct sum_f32_workspace *w,
                                   cudaStream_t stream);

enum sum_f32_status __wrap_sum_f32_exact(const float *in, size_t n, float *out, const struct sum_f32_workspace *w,
                                         cudaStream_t stream) {
    return __real_sum_f32(in, n - 1, out, w, stream);
}

enum sum_f32_status __wrap_sum_f32(const float *in, size_t n, float *out, const struct sum_f32_workspace *w,
                                   cudaStream_t stream) {
    (void)in, (void)n, (void)out, (void)w, (void)stream;
    return SUM_F32_OK;
}

enum reduce_status __wrap_reduce_rows(enum reduce_operator op, const struct reduce_matrix *matrix, void *out,
                                      const struct reduce_workspace *w, cudaStream_t stream);
enum reduce_status __real_reduce_rows(enum reduce_operator op, const struct reduce_matrix *matrix, void *out,
                                      const struct reduce_workspace *w, cudaStream_t stream);

enum reduce_status __wrap_reduce_rows(enum reduce_operator op, const struct reduce_matrix *matrix, void *out,
                                      const struct reduce_workspace *w, cudaStream_t stream) {
    return __real_reduce_rows(op == REDUCE_SUM ? REDUCE_MAX : op, matrix, out, w, stream);
}
