/*
 * softmax_check.c: is a softmax right? Each row once more in double precision, and how far floats
 * may be from it.
 *
 * The kernels compute y = fl(e * fl(1 / S)), e = fl(exp(fl(x - m))), S = fl(sum of e). With u =
 * 2^-24 and d = m - x, each of these relative errors is one or more roundings, to first order in u:
 *
 *   x - m       at most u; it moves the exponential by d * u              d
 *   exp         EXP_ULPS ulp, and an ulp is at most 2 u                   2 * EXP_ULPS
 *   S           the sum of the errors of its terms, by their weights:
 *               the mean of d over the row, weighted by e, and the above  mean d + 2 * EXP_ULPS
 *               and of terms that are not negative each addition on a
 *               term's way adds at most u (Higham, Accuracy and Stability
 *               of Numerical Algorithms, section 4.2)                     DEPTH
 *   1 / S, *    both are correctly rounded                                2
 *
 * m itself is one of the x, so it has no error. A small e or y is a denormal, where an ulp is
 * TINY = 2^-149 whatever its size: then each of exp and * may be wrong by so many of those, too,
 * and the factor between them is at most 1. That exp is expf(), for which the CUDA C++ Programming
 * Guide ("Mathematical functions", accuracy of single precision) states 2 ulp at most over the full
 * range, in older editions, and 1 in newer ones; glibc, on the simulator, states 1.
 */
#include "softmax.h"

#include <math.h>
#include <stdlib.h>

enum {
    EXP_ULPS = 2,
    /* A thread has 64 values at most, in four sums of 16: 15 additions and 2. Then 5 in its warp; a
       lane reads the sums of up to 4 warps, 3; and 5 for the lanes. */
    DEPTH = 15 + 2 + 5 + 3 + 5
};
static const double u = 0x1p-24, TINY = 0x1p-149;
static const double higher_orders = 1 + 0x1p-10; /* (200 u)^2 and less, and double's own errors */

static double max_of_row(const float *x, size_t row)
{
    float max = -INFINITY;
    for (size_t i = 0; i < row; i++)
        max = x[i] > max ? x[i] : max;
    return (double)max;
}

/* A NaN makes the sum one, and that every word of the row. */
static void check_row(const struct answer *a, size_t first, struct verdict *verdict)
{
    double e[MOST_OF_A_BLOCK], sum = 0, weighted = 0;
    const float *x = a->in + first;
    double max = max_of_row(x, a->row);
    for (size_t i = 0; i < a->row; i++) {
        double d = max - (double)x[i];
        e[i] = exp(-d);
        sum += e[i];
        weighted += e[i] > 0 ? d * e[i] : 0;
    }
    double common = weighted / sum + 2 * 2 * EXP_ULPS + DEPTH + 2;
    for (size_t i = 0; i < a->row; i++) {
        double right = e[i] / sum, d = max - (double)x[i];
        double relative = right > 0 ? (d + common) * u * higher_orders : 0;
        expect_near(verdict, a->out, first + i, right, relative * right + (EXP_ULPS + 1) * TINY);
    }
}

/* The worst error of a row as a part of what is allowed; infinite if it is wrong. */
static float worst_of_row(const struct answer *a, size_t first)
{
    struct verdict verdict = {.ok = true};
    check_row(a, first, &verdict);
    if (!verdict.ok)
        return INFINITY;
    return verdict.err_bound > 0 ? (float)(verdict.rel_err / verdict.err_bound) : 0;
}

/* All threads look for what is worst; that, and all that is wrong, is then noted in order. */
void check_softmax(const struct answer *a, struct verdict *verdict)
{
    size_t rows = a->n / a->row, worst = 0;
    float *error = malloc((rows + 1) * sizeof *error);
    if (error == NULL)
        abort(); /* at most a 32nd of the answer */
#pragma omp parallel for schedule(static)
    for (size_t r = 0; r < rows; r++)
        error[r] = worst_of_row(a, r * a->row);
    for (size_t r = 0; r < rows; r++)
        worst = error[r] > error[worst] ? r : worst;
    for (size_t r = 0; r < rows; r++) {
        if (r == worst || isinf(error[r]))
            check_row(a, r * a->row, verdict);
    }
    free(error);
}
