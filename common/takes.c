#include "shapes.h"

#include "task.h"

#include <stdio.h>

bool has_rows(const struct variant *variant)
{
    return variant->task != NULL && variant->task->max_row > 0;
}

bool admits_row(const struct variant *variant, size_t row)
{
    const struct task *task = variant->task;
    return !has_rows(variant) ||
           (row >= task->min_row && row <= task->max_row && row % task->row_unit == 0);
}

/* n must be a multiple of this. */
static size_t unit_of(const struct variant *variant, size_t row)
{
    if (variant->task == NULL)
        return 1;
    size_t unit = has_rows(variant) ? row : variant->task->unit;
    return unit > 0 ? unit : 1;
}

bool admits_n(const struct variant *variant, size_t n, size_t row)
{
    size_t most = variant->task != NULL ? variant->task->max_n : 0;
    return n % unit_of(variant, row) == 0 && (most == 0 || n <= most);
}

const char *describe_rows(const struct variant *variant, char text[SHAPE_TEXT])
{
    const struct task *task = variant->task;
    snprintf(text, SHAPE_TEXT, "rows of %zu to %zu floats in multiples of %zu", task->min_row,
             task->max_row, task->row_unit);
    return text;
}

const char *describe_n(const struct variant *variant, size_t row, char text[SHAPE_TEXT])
{
    size_t most = variant->task != NULL ? variant->task->max_n : 0;
    if (most > 0)
        snprintf(text, SHAPE_TEXT, "an n of at most %zu", most);
    else
        snprintf(text, SHAPE_TEXT, "an n that is a multiple of %zu", unit_of(variant, row));
    return text;
}
