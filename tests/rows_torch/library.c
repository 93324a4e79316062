/* library.c: for tests/test_compare.py: a stand-in for libsum_f32.so, whose answers are the host's, in
   the host's memory. With WRONG each is off by 1. */
#include "library/reduce_rows.h"

#include <math.h>

enum reduce_status reduce_workspace_bytes(size_t *bytes) {
    *bytes = 16;
    return REDUCE_OK;
}

static float value(const struct reduce_matrix *m, size_t i) {
    union {
        uint32_t bits;
        float f;
    } b;
    if (m->type == REDUCE_F32) return ((const float *)m->data)[i];
    if (m->type == REDUCE_F16) return (float)((const _Float16 *)m->data)[i];
    b.bits = (uint32_t)((const uint16_t *)m->data)[i] << 16;
    return b.f;
}

/* Of the n elements from `first` on, `step` apart. */
static void answer(enum reduce_operator op, const struct reduce_matrix *m, size_t first, size_t n, size_t step,
                   void *out, size_t i) {
    double sum = 0, squares = 0, powers = 0, about = 0;
    size_t best = 0;
    for (size_t e = 0; e < n; e++) {
        double v = (double)value(m, first + e * step);
        sum += v, squares += v * v, powers += exp(v);
        best = v > (double)value(m, first + best * step) ? e : best;
    }
    double mean = sum / (double)n;
    for (size_t e = 0; e < n; e++) about += pow((double)value(m, first + e * step) - mean, 2);
#ifdef WRONG
    sum += 1, squares += 100, powers *= 3, mean += 1, best = (best + 1) % n;
#endif
    const double answers[] = {[REDUCE_SUM] = sum,
                              [REDUCE_MAX] = (double)value(m, first + best * step),
                              [REDUCE_LOGSUMEXP] = log(powers),
                              [REDUCE_NORM2] = sqrt(squares)};
    if (op == REDUCE_ARGMAX) {
        ((int64_t *)out)[i] = (int64_t)best;
    } else if (op == REDUCE_MEAN_VAR) {
        ((float *)out)[2 * i] = (float)mean;
        ((float *)out)[2 * i + 1] = n > 1 ? (float)(about / (double)(n - 1)) : NAN;
    } else {
        ((float *)out)[i] = (float)answers[op];
    }
}

enum reduce_status reduce_rows(enum reduce_operator op, const struct reduce_matrix *matrix, void *out,
                               const struct reduce_workspace *workspace, cudaStream_t stream) {
    (void)workspace, (void)stream;
    for (size_t r = 0; r < matrix->rows; r++) answer(op, matrix, r * matrix->stride, matrix->columns, 1, out, r);
    return REDUCE_OK;
}

enum reduce_status reduce_columns(enum reduce_operator op, const struct reduce_matrix *matrix, void *out,
                                  const struct reduce_workspace *workspace, cudaStream_t stream) {
    (void)workspace, (void)stream;
    for (size_t c = 0; c < matrix->columns; c++) answer(op, matrix, c, matrix->rows, matrix->stride, out, c);
    return REDUCE_OK;
}
