/*
 * reduce_rows.h: one answer for each row, for each column, or for each segment of an array: sums,
 * maxima, where they are, means and variances, log-sum-exp, norms.
 *
 * The contract is that of sum_f32.h: a call queues one kernel and returns. It allocates nothing and
 * waits for nothing, so it may be captured in a CUDA graph. The same elements on the same kind of
 * GPU, as far from a multiple of 16 bytes, give the same bits every time; and so do equal rows of
 * one matrix that begin equally far from one. Errors come back as a status; then nothing was queued
 * and nothing is written.
 */
#ifndef REDUCE_ROWS_H
#define REDUCE_ROWS_H

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum reduce_status {
    REDUCE_OK,
    REDUCE_NULL_POINTER,    /* the data (with elements), out, offsets or the workspace is NULL */
    REDUCE_MISALIGNED,      /* data, out, offsets or workspace; see below */
    REDUCE_BAD_OPERATOR,    /* no such operator, or none that segments have */
    REDUCE_BAD_TYPE,        /* no such type of elements */
    REDUCE_BAD_SHAPE,       /* a stride below the columns, or more bytes than memory can have */
    REDUCE_BAD_OFFSETS,     /* reduce_check_offsets(): they decrease, or lie outside the data */
    REDUCE_SMALL_WORKSPACE, /* fewer bytes than reduce_workspace_bytes() asks for */
    REDUCE_NO_DEVICE,       /* no GPU that CUDA can use, or no code for it in the library */
    REDUCE_LAUNCH_FAILED    /* CUDA refused; cudaPeekAtLastError() says why */
};

/*
 * What an answer is, how many bytes it has in out, and what it is of no elements at all.
 *
 *   SUM        float     the sum                                                   0
 *   MAX, MIN   float     the largest, the smallest; a NaN if there is one          -inf, +inf
 *   ARGMAX,    int64_t   the number of that element, from 0 in its row, column     -1
 *   ARGMIN               or segment; of equal ones the first, of NaNs the first
 *   MEAN_VAR   2 floats  the mean, and the sum of (x - mean)^2 over n - 1          NaN, NaN
 *   LOGSUMEXP  float     the natural logarithm of the sum of e^x                   -inf
 *   NORM2      float     the root of the sum of x^2; no square overflows           0
 *
 * 0 and -0 are equal. The variance of one element is a NaN, and so is one with an infinity among
 * the elements; the mean is then as the sum. A NaN makes each answer a NaN, but for ARGMAX and
 * ARGMIN: they say where the first one is.
 *
 * How far from exact, with u = 2^-24, d = reduce_depth() (reduce_plan.h), n elements x of one row,
 * R = the largest less the smallest, and S = the sum of (x - mean)^2; as long as the sum of |x|,
 * for a mean n R, and for a variance n R^2 is a float:
 *
 *   SUM        d u (|x1| + ... + |xn|)
 *   mean       (d + 12) u R + u |mean| + 2^-149
 *   variance   (24 (d + 4)^2 u S + 4 E sqrt(d n S) + 4 d n E^2 + n 2^-149) / (n - 1), with
 *              E = (d + 12) u R. R^2 is at most 2 S: so however large the mean is, the error is
 *              small beside S
 *   LOGSUMEXP  u (|answer| + 3 |log s| + 7 d + 6 + 3 w / s), with L the largest x, s the sum of
 *              e^(x - L), and w the sum of (L - x) e^(x - L)
 *   NORM2      (d / 2 + 3) u times the norm, and 2^-149
 *
 * MAX, MIN, ARGMAX and ARGMIN are exact. reduce_plan.c says where the bounds come from.
 */
enum reduce_operator {
    REDUCE_SUM,
    REDUCE_MAX,
    REDUCE_MIN,
    REDUCE_ARGMAX,
    REDUCE_ARGMIN,
    REDUCE_MEAN_VAR,
    REDUCE_LOGSUMEXP,
    REDUCE_NORM2
};

/* Elements. Half and bfloat16 become floats, exactly, before anything is done with them. */
enum reduce_type { REDUCE_F32, REDUCE_F16, REDUCE_BF16 };

/* rows * columns elements in device memory; the first of each row lies `stride` elements after the
   first of the row before. data: aligned to an element and no better, and NULL only if there are no
   elements. What lies between the rows is not read. */
struct reduce_matrix {
    const void *data;
    enum reduce_type type;
    size_t rows, columns, stride;
};

/* Device memory of the caller's, aligned to 16 bytes, as in sum_f32.h: zero all of it once before
   its first use; every call leaves it ready for the next one in the same stream. Calls that may run
   at the same time need one each. After an error that cut a call off, zero it again. */
struct reduce_workspace {
    void *memory;
    size_t bytes;
};

/* Sets *bytes to what is enough for every call on the current device, whatever its shape: 37,024
   for each SM, so 4,887,168 with 132 SMs. Returns REDUCE_OK, REDUCE_NULL_POINTER or
   REDUCE_NO_DEVICE. */
enum reduce_status reduce_workspace_bytes(size_t *bytes);

/* Bytes of an answer in out: 4 or 8; 0 if there is no such operator. */
size_t reduce_answer_bytes(enum reduce_operator op);

/* Queues out[r] = the answer of row r, for every row. out: device memory for matrix->rows answers,
   one after the other, aligned to 4 bytes (to 8 for ARGMAX and ARGMIN), no part of the data.
   Without rows there is nothing to do. */
enum reduce_status reduce_rows(enum reduce_operator op, const struct reduce_matrix *matrix,
                               void *out, const struct reduce_workspace *workspace,
                               cudaStream_t stream);

/* Queues out[c] = the answer of column c, for every column: as reduce_rows() of the transposed
   matrix. */
enum reduce_status reduce_columns(enum reduce_operator op, const struct reduce_matrix *matrix,
                                  void *out, const struct reduce_workspace *workspace,
                                  cudaStream_t stream);

/* Rows of any lengths, one after the other in an array: segment s is data[offsets[s]] to
   data[offsets[s + 1] - 1]. */
struct reduce_segments {
    const void *data; /* n elements, as above */
    enum reduce_type type;
    size_t n;
    const int64_t *offsets; /* device memory, segments + 1 of them, aligned to 8 bytes */
    size_t segments;
};

/*
 * Queues out[s] = the answer of segment s, for every segment; SUM, MAX and ARGMAX alone. However
 * unequal the lengths are, blocks share what is long. The offsets must not decrease, and must
 * lie in 0 to n. The host does not see them: if they are wrong, the kernel may read outside of
 * data. Ask reduce_check_offsets() while you look for a mistake.
 */
enum reduce_status reduce_segments(enum reduce_operator op, const struct reduce_segments *segments,
                                   void *out, const struct reduce_workspace *workspace,
                                   cudaStream_t stream);

/* For debugging: looks at all offsets, and waits for the answer, so it cannot be captured. Returns
   REDUCE_OK, or REDUCE_BAD_OFFSETS; then *wrong (unless NULL) is the first s whose offsets[s] is
   negative, above n, or above offsets[s + 1]. */
enum reduce_status reduce_check_offsets(const struct reduce_segments *segments, size_t *wrong,
                                        const struct reduce_workspace *workspace,
                                        cudaStream_t stream);

/* What a status means, in one line: a constant string, never NULL. */
const char *reduce_message(enum reduce_status status);

#ifdef __cplusplus
}
#endif

#endif
