#include "check.h"

#include "task.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const double unit_roundoff = 0x1p-24;

static void fail(struct verdict *verdict, double rel_err, const char *reason)
{
    verdict->ok = false;
    verdict->rel_err = rel_err;
    snprintf(verdict->reason, sizeof verdict->reason, "%s", reason);
}

/* The right answer is a NaN or an infinity, or the sum is one. Only the same
   kind will do: NaN for NaN, the infinity of the same sign. */
static void check_special(float sum, const struct exact_sum *exact, struct verdict *verdict)
{
    double right = exact->overflows ? copysign(INFINITY, exact->sum) : exact->sum;
    if (isnan(right) ? isnan(sum) : (double)sum == right)
        return;
    if (isnan(right))
        fail(verdict, INFINITY, "a NaN went in, a number came out");
    else if (isinf(right))
        fail(verdict, INFINITY, right > 0 ? "the sum is +infinity" : "the sum is -infinity");
    else
        fail(verdict, INFINITY,
             isnan(sum) ? "NaN out of finite numbers" : "infinite, though the sum is finite");
}

static void check_finite(float sum, const struct exact_sum *exact, struct verdict *verdict)
{
    double error = fabs((double)sum - exact->sum);
    verdict->rel_err = exact->sum_abs > 0 ? error / exact->sum_abs : 0;
    /* exact->sum is itself rounded, and so is the difference: by 2^-53 each. */
    double slack = exact->exact_in_floats ? 0 : 0x1p-52 * fabs(exact->sum);
    double allowed = verdict->err_bound * exact->sum_abs;
    if (error <= allowed + slack)
        return;
    verdict->ok = false;
    snprintf(verdict->reason, sizeof verdict->reason, "%.9g instead of %.9g +- %.3g", (double)sum,
             exact->sum, allowed);
}

struct verdict check_sum(float sum, const struct exact_sum *exact, size_t depth)
{
    struct verdict verdict = {.ok = true};
    verdict.err_bound = exact->exact_in_floats ? 0 : (double)depth * unit_roundoff;
    if (is_poison(&sum, 0))
        fail(&verdict, INFINITY, "nothing was written to the output");
    else if (!isfinite(sum) || !isfinite(exact->sum))
        check_special(sum, exact, &verdict);
    else
        check_finite(sum, exact, &verdict); /* also where the exact sum just overflows */
    return verdict;
}
