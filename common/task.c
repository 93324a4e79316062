/* task.c: see task.h. */
#include "task.h"

#include "element.h"

#include <math.h>
#include <stdio.h>

const char *task_name(const struct variant *variant)
{
    if (variant->flags & ROOF)
        return "roof";
    return variant->task != NULL ? variant->task->name : "sum";
}

size_t answer_words(const struct variant *variant, size_t n, size_t row)
{
    if (variant->flags & COPIES)
        return n;
    if (variant->task == NULL)
        return element_sum_bytes(variant->element) / sizeof(float);
    return variant->task->words(n, row);
}

/* The first wrong word is described; of the others it is only known how many there are. */
static bool first_wrong(struct verdict *verdict)
{
    verdict->ok = false;
    verdict->rel_err = INFINITY;
    return verdict->wrong++ == 0;
}

void wrong_word(struct verdict *verdict, size_t i, uint32_t got, uint32_t right)
{
    if (first_wrong(verdict))
        snprintf(verdict->reason, sizeof verdict->reason, "out[%zu] is 0x%08x instead of 0x%08x", i,
                 got, right);
}

void wrong_float(struct verdict *verdict, size_t i, double got, double right, double allowed)
{
    if (!first_wrong(verdict))
        return;
    int used = snprintf(verdict->reason, sizeof verdict->reason, "out[%zu] is %.9g instead of %.9g",
                        i, got, right);
    if (allowed > 0 && used < (int)sizeof verdict->reason)
        snprintf(verdict->reason + used, sizeof verdict->reason - (size_t)used, " +- %.3g",
                 allowed);
}

void expect_near(struct verdict *verdict, const float *out, size_t i, double right, double allowed)
{
    double got = (double)out[i], error = fabs(got - right);
    bool special = !isfinite(right) || !isfinite(got);
    if (special ? (isnan(right) ? isnan(got) && !is_poison(out, i) : got == right) : error == 0)
        return;
    if (special || error > allowed) {
        wrong_float(verdict, i, got, right, allowed);
        return;
    }
    double scale = right != 0 ? fabs(right) : allowed;
    if (verdict->ok && error * verdict->err_bound >= verdict->rel_err * allowed) {
        verdict->rel_err = error / scale;
        verdict->err_bound = allowed / scale;
    }
}
