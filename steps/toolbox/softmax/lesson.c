/*
 * lesson.c: is a softmax right? Each row once more in double precision, and how far floats may be
 * from it. Then the variants.
 *
 * The kernels compute y = fl(e * fl(1 / S)), e = fl(exp(fl(x - m))), S = fl(sum of e). With u =
 * 2^-24 and d = m - x, each of these relative errors is one or more roundings, to first order in u:
 *
 *   x - m       at most u; it moves the exponential by d * u              d
 *   exp         EXP, see below                                            EXP
 *   S           the errors of its terms, by their weights: the mean of
 *               d over the row, weighted by e, and the above              mean d + EXP
 *               and as no term is negative, each addition on a term's
 *               way adds at most u (Higham, Accuracy and Stability of
 *               Numerical Algorithms, section 4.2)                        DEPTH
 *   1 / S, *    both are correctly rounded                                2
 *
 * m itself is one of the x, so it has no error. A small e or y is a denormal, where an ulp is TINY
 * whatever its size: then each of exp and * may be wrong by so many of those, too, and the factor
 * between them is at most 1.
 *
 * exp is expf(): the CUDA C++ Programming Guide (appendix on mathematical functions) has 2 ulp at
 * most between it and the correctly rounded result, in the full range; that result is off by half
 * an ulp itself, and an ulp is at most 2 u. (N. Juffa found 2.32 ulp at worst, NVIDIA developer
 * forum, "A more accurate, performance-competitive implementation of expf()".) The C library's, on
 * the simulator, is better.
 */
#include "softmax.h"

#include "message.h"

#include <math.h>
#include <stdlib.h>

static const double u = 0x1p-24, TINY = 0x1p-149;
static const double EXP_ULPS = 2.5, EXP = 2 * 2.5;
/* A thread has 64 values at most, in four sums of 16: 15 additions and 2. Then 5 in its warp; a
   lane reads the sums of up to 4 warps, 3; and 5 for the lanes. */
static const double DEPTH = 15 + 2 + 5 + 3 + 5;
static const double higher_orders = 1 + 0x1p-10; /* (200 u)^2 and less, and double's own errors */

static double max_of_row(const float *x, size_t row)
{
    float max = -INFINITY;
    for (size_t i = 0; i < row; i++)
        max = x[i] > max ? x[i] : max;
    return (double)max;
}

/* A row once more: the sum of its exponentials, and the part of the bound that all its words share.
 */
struct right {
    double max, sum, common;
    double e[MOST_OF_A_BLOCK];
};

static void compute_row(struct right *right, const float *x, size_t row)
{
    double sum = 0, weighted = 0;
    right->max = max_of_row(x, row);
    for (size_t i = 0; i < row; i++) {
        double d = right->max - (double)x[i], e = exp(-d);
        right->e[i] = e;
        sum += e;
        weighted += e > 0 ? d * e : 0;
    }
    right->sum = sum; /* a NaN in the row makes it one, and so every word */
    right->common = weighted / sum + 2 * EXP + DEPTH + 2;
}

static inline double allowed(const struct right *right, double x, double y)
{
    double relative = y > 0 ? (right->max - x + right->common) * (u * higher_orders) : 0;
    return relative * y + (EXP_ULPS + 1) * TINY;
}

/* The largest error of a row as a part of what is allowed; infinite if a word is wrong, or where
   there are infinities and NaN, for check_row() to judge. */
static double worst_of_row(const struct answer *a, size_t first)
{
    struct right right;
    double worst = 0;
    compute_row(&right, a->in + first, a->row);
    double factor = 1 / right.sum;
    for (size_t i = 0; i < a->row; i++) {
        double y = right.e[i] * factor, error = fabs((double)a->out[first + i] - y);
        double part = error / allowed(&right, (double)a->in[first + i], y);
        if (!(part <= 1))
            return INFINITY;
        worst = part > worst ? part : worst;
    }
    return worst;
}

static void check_row(const struct answer *a, size_t first, struct verdict *verdict)
{
    struct right right;
    compute_row(&right, a->in + first, a->row);
    for (size_t i = 0; i < a->row; i++) {
        double y = right.e[i] / right.sum;
        expect_near(verdict, a->out, first + i, y, allowed(&right, (double)a->in[first + i], y));
    }
}

/* All threads look for what is worst; that, and all that may be wrong, is then judged in order. */
void check_softmax(const struct answer *a, struct verdict *verdict)
{
    size_t rows = a->n / a->row, worst = 0;
    double *parts = malloc((rows + 1) * sizeof *parts);
    if (parts == NULL)
        exit(complain(STATUS_USAGE, "no memory to check %zu rows: take a smaller -n", rows));
#pragma omp parallel for schedule(static)
    for (size_t r = 0; r < rows; r++)
        parts[r] = worst_of_row(a, r * a->row);
    for (size_t r = 0; r < rows; r++)
        worst = parts[r] > parts[worst] ? r : worst;
    for (size_t r = 0; r < rows; r++) {
        if (r == worst || isinf(parts[r]))
            check_row(a, r * a->row, verdict);
    }
    free(parts);
}

extern const struct variant variant_softmax_warp, variant_softmax_warp_shared,
    variant_softmax_block, variant_softmax_cluster;

static const struct variant *const variants[] = {
    &variant_softmax_warp,
    &variant_softmax_warp_shared,
    &variant_softmax_block,
    &variant_softmax_cluster,
    NULL,
};

const struct lesson lesson = {
    .name = "softmax",
    .idea = "what the lanes' tools are for: a row stays in registers from load to store",
    .in_chinese = "工具箱实战：矩阵各行的 softmax",
    .variants = variants,
};
