#include "check.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void fail(struct verdict *verdict, double rel_err, const char *reason)
{
    verdict->ok = false;
    verdict->rel_err = rel_err;
    snprintf(verdict->reason, sizeof verdict->reason, "%s", reason);
}

/* The right answer is a NaN or an infinity, or the sum is one. Only the same
   kind will do: NaN for NaN, the infinity of the same sign. */
static void check_special(double sum, double right, struct verdict *verdict)
{
    if (isnan(right) ? isnan(sum) : sum == right)
        return;
    if (isnan(right))
        fail(verdict, INFINITY, "a NaN went in, a number came out");
    else if (isinf(right))
        fail(verdict, INFINITY, right > 0 ? "the sum is +infinity" : "the sum is -infinity");
    else
        fail(verdict, INFINITY,
             isnan(sum) ? "NaN out of finite numbers" : "infinite, though the sum is finite");
}

static void check_nearest(double sum, const struct exact_sum *exact, struct verdict *verdict)
{
    double error = fabs((double)sum - exact->sum);
    verdict->rel_err = exact->sum_abs > 0 ? error / exact->sum_abs : 0;
    if (sum == (double)exact->nearest)
        return;
    verdict->ok = false;
    snprintf(verdict->reason, sizeof verdict->reason, "%.9g, and the nearest float is %.9g", sum,
             (double)exact->nearest);
}

static void check_finite(double sum, const struct exact_sum *exact, struct verdict *verdict)
{
    double error = fabs(sum - exact->sum);
    verdict->rel_err = exact->sum_abs > 0 ? error / exact->sum_abs : 0;
    /* exact->sum is itself rounded, and so is the difference: by 2^-53 each. */
    double slack = exact->exact_in_floats ? 0 : 0x1p-52 * fabs(exact->sum);
    double allowed = verdict->err_bound * exact->sum_abs;
    if (error <= allowed + slack)
        return;
    verdict->ok = false;
    snprintf(verdict->reason, sizeof verdict->reason, "%.9g instead of %.9g +- %.3g", sum,
             exact->sum, allowed);
}

static void check_whole(int64_t sum, int64_t right, struct verdict *verdict)
{
    if (sum == right)
        return;
    verdict->ok = false;
    verdict->rel_err = INFINITY;
    snprintf(verdict->reason, sizeof verdict->reason, "%lld instead of %lld", (long long)sum,
             (long long)right);
}

static bool all_poison(const void *sum, size_t bytes)
{
    const unsigned char *byte = sum;
    for (size_t i = 0; i < bytes; i++)
        if (byte[i] != POISON_BYTE)
            return false;
    return true;
}

struct verdict check_element_sum(enum element element, const void *sum,
                                 const struct exact_sum *exact, size_t depth)
{
    struct verdict verdict = {.ok = true};
    bool wide = element == ELEMENT_DOUBLE, whole = element == ELEMENT_INT32;
    double value, right = exact->overflows && !wide ? copysign(INFINITY, exact->sum) : exact->sum;
    verdict.err_bound =
        exact->exact_in_floats ? 0 : (double)(depth > 0 ? depth : 1) * element_roundoff(element);
    if (all_poison(sum, element_sum_bytes(element)) && !(whole && exact->whole == -1)) {
        fail(&verdict, INFINITY,
             "nothing was written to the output, or only added to what it held");
        return verdict;
    }
    if (whole) {
        int64_t integer;
        memcpy(&integer, sum, sizeof integer);
        check_whole(integer, exact->whole, &verdict);
        return verdict;
    }
    if (wide) {
        memcpy(&value, sum, sizeof value);
    } else {
        float narrow;
        memcpy(&narrow, sum, sizeof narrow);
        value = (double)narrow;
    }
    if (!isfinite(value) || !isfinite(exact->sum) || (depth == 0 && isinf(right)))
        check_special(value, right, &verdict);
    else if (depth == 0 && element == ELEMENT_FLOAT)
        check_nearest(value, exact, &verdict);
    else
        check_finite(value, exact, &verdict); /* also where the exact sum just overflows */
    return verdict;
}

struct verdict check_sum(float sum, const struct exact_sum *exact, size_t depth)
{
    return check_element_sum(ELEMENT_FLOAT, &sum, exact, depth);
}
