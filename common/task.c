/* task.c: see task.h. */
#include "task.h"

#include "element.h"
#include "options.h" /* MAX_VARIANTS */

#include <math.h>
#include <stdio.h>

const char *task_name(const struct variant *variant)
{
    if (variant->flags & ROOF)
        return "roof";
    return variant->task != NULL ? variant->task->name : "sum";
}

static size_t words_of_each(const struct task *task)
{
    return task->of_each != NULL ? task->of_each->words(0, 0) : 1;
}

size_t answer_words(const struct variant *variant, size_t n, size_t row, size_t gap)
{
    const struct task *task = variant->task;
    if (variant->flags & COPIES)
        return n;
    if (task == NULL)
        return element_sum_bytes(variant->element) / sizeof(float);
    if (task->each == ONE_ANSWER)
        return task->words(n, row);
    return words_of_each(task) * (task->each == EACH_ROW ? rows_in(n, row, gap) : row);
}

static const struct task *task_by_operator(const struct task *task, const char *name)
{
    for (size_t k = 0; task->by_operator[k] != NULL; k++)
        if (strcmp(operator_name(task->by_operator[k]), name) == 0)
            return task->by_operator[k];
    return task;
}

const struct lesson *ask_by_operator(const struct lesson *lesson, const char *name)
{
    static struct variant copies[MAX_VARIANTS];
    static const struct variant *variants[MAX_VARIANTS + 1];
    static struct lesson chosen;
    if (name == NULL)
        return lesson;
    size_t i = 0;
    for (; lesson->variants[i] != NULL; i++) {
        copies[i] = *lesson->variants[i];
        variants[i] = &copies[i];
        if (copies[i].task != NULL && copies[i].task->by_operator != NULL)
            copies[i].task = task_by_operator(copies[i].task, name);
    }
    variants[i] = NULL;
    chosen = *lesson;
    chosen.variants = variants;
    return &chosen;
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
