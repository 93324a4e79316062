/*
 * rows_check.c: are the answers of many rows or columns right? Each is judged as step 15 judges one
 * array (operators_check.c), with the depth of the longest way there is; sums against the exact
 * one.
 */
#include "rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 1024 };

/* Of few floats doubles are near enough: they round 2^29 times as little as floats may. */
static struct exact_sum sum_few(const float *x, size_t n)
{
    struct exact_sum sum = {.exact_in_floats = true};
    bool finite = true;
    for (size_t i = 0; i < n; i++) {
        sum.sum += (double)x[i];
        sum.sum_abs += fabs((double)x[i]);
        sum.exact_in_floats &= floorf(x[i]) == x[i];
        finite &= isfinite(x[i]) != 0;
    }
    sum.nearest = (float)sum.sum;
    sum.overflows = finite && isinf(sum.nearest);
    sum.exact_in_floats &= sum.sum_abs <= 0x1p24;
    return sum;
}

static void check_sum_of(const struct answer *a, struct verdict *verdict)
{
    struct exact_sum sum = a->n <= FEW ? sum_few(a->in, a->n) : sum_exactly(a->in, a->n);
    *verdict = check_sum(a->out[0], &sum, a->depth);
    verdict->wrong = !verdict->ok;
}

/* Adds what was found out about other rows, or columns. The first fault is described. */
static void keep(struct verdict *all, const struct verdict *one)
{
    if (one->ok) {
        /* Of no rows, which a thread may have had, there is no error. */
        if (all->ok && (all->err_bound == 0 ||
                        one->rel_err * all->err_bound > all->rel_err * one->err_bound)) {
            all->rel_err = one->rel_err;
            all->err_bound = one->err_bound;
        }
        return;
    }
    if (all->wrong == 0)
        memcpy(all->reason, one->reason, sizeof all->reason);
    all->ok = false;
    all->rel_err = one->rel_err;
    all->wrong += one->wrong;
}

static size_t words_of(const struct answer *a)
{
    return a->task->of_each != NULL ? a->task->of_each->words(0, 0) : 1;
}

/* Adds to `all` how the answer for row, or column, k is. */
static void judge(const struct answer *a, const char *which, size_t k, const float *in, size_t n,
                  struct verdict *all)
{
    const struct task *each = a->task->of_each;
    const struct answer one = {
        .in = in, .n = n, .out = a->out + k * words_of(a), .block = a->block, .depth = a->depth};
    struct verdict verdict = {.ok = true};
    if (each == NULL)
        check_sum_of(&one, &verdict);
    else
        each->check(&one, &verdict);
    if (!verdict.ok && all->wrong == 0) {
        char reason[sizeof verdict.reason];
        snprintf(reason, sizeof reason, "%s %zu: %.60s", which, k, verdict.reason);
        memcpy(verdict.reason, reason, sizeof reason);
    }
    keep(all, &verdict);
}

static void check_rows(const struct answer *a, struct verdict *verdict)
{
    size_t rows = rows_in(a->n, a->row, a->gap);
#pragma omp parallel
    {
        struct verdict mine = {.ok = true};
#pragma omp for schedule(dynamic, 64)
        for (size_t r = 0; r < rows; r++) {
            size_t begin = a->offsets != NULL ? a->offsets[r] : r * (a->row + a->gap);
            size_t end = a->offsets != NULL ? a->offsets[r + 1] : begin + a->row;
            judge(a, "row", r, a->in + begin, end - begin, &mine);
        }
#pragma omp critical
        keep(verdict, &mine);
    }
}

static void check_columns(const struct answer *a, struct verdict *verdict)
{
    size_t rows = rows_in(a->n, a->row, a->gap);
#pragma omp parallel
    {
        float *column = malloc((rows + 1) * sizeof *column);
        struct verdict mine = {.ok = true};
        if (column == NULL)
            abort(); /* less than what the numbers took */
#pragma omp for schedule(dynamic, 1)
        for (size_t c = 0; c < a->row; c++) {
            for (size_t r = 0; r < rows; r++)
                column[r] = a->in[r * (a->row + a->gap) + c];
            judge(a, "column", c, column, rows, &mine);
        }
        free(column);
#pragma omp critical
        keep(verdict, &mine);
    }
}

/* ---- a task for each shape and operator ---- */

#define ANY_MATRIX .max_row = ANY_ROW, .row_unit = 1, .scratch_per_sm = SCRATCH_PER_SM
#define OF_ROWS    ANY_MATRIX, .each = EACH_ROW, .check = check_rows
#define OF_COLUMNS ANY_MATRIX, .each = EACH_COLUMN, .check = check_columns
#define OF_RAGGED  OF_ROWS, .ragged = true

enum { OPERATORS = 6 };
static const struct task *const rows_by[OPERATORS + 1], *const columns_by[OPERATORS + 1],
                                                            *const ragged_by[OPERATORS + 1];

const struct task rows_task = {.name = "rows", .by_operator = rows_by, OF_ROWS};
static const struct task rows_of[] = {
    {.name = "rows_maximum", .of_each = &maximum_task, OF_ROWS},
    {.name = "rows_argmax", .of_each = &argmax_task, OF_ROWS},
    {.name = "rows_mean_variance", .of_each = &mean_variance_task, OF_ROWS},
    {.name = "rows_log_sum_exp", .of_each = &log_sum_exp_task, OF_ROWS},
    {.name = "rows_norm", .of_each = &norm_task, OF_ROWS},
};
static const struct task *const rows_by[] = {&rows_task,  &rows_of[0], &rows_of[1], &rows_of[2],
                                             &rows_of[3], &rows_of[4], NULL};

const struct task columns_task = {.name = "columns", .by_operator = columns_by, OF_COLUMNS};
static const struct task columns_of[] = {
    {.name = "columns_maximum", .of_each = &maximum_task, OF_COLUMNS},
    {.name = "columns_argmax", .of_each = &argmax_task, OF_COLUMNS},
    {.name = "columns_mean_variance", .of_each = &mean_variance_task, OF_COLUMNS},
    {.name = "columns_log_sum_exp", .of_each = &log_sum_exp_task, OF_COLUMNS},
    {.name = "columns_norm", .of_each = &norm_task, OF_COLUMNS},
};
static const struct task *const columns_by[] = {
    &columns_task, &columns_of[0], &columns_of[1], &columns_of[2], &columns_of[3], &columns_of[4],
    NULL};

const struct task ragged_task = {.name = "ragged", .by_operator = ragged_by, OF_RAGGED};
static const struct task ragged_of[] = {
    {.name = "ragged_maximum", .of_each = &maximum_task, OF_RAGGED},
    {.name = "ragged_argmax", .of_each = &argmax_task, OF_RAGGED},
    {.name = "ragged_mean_variance", .of_each = &mean_variance_task, OF_RAGGED},
    {.name = "ragged_log_sum_exp", .of_each = &log_sum_exp_task, OF_RAGGED},
    {.name = "ragged_norm", .of_each = &norm_task, OF_RAGGED},
};
static const struct task *const ragged_by[] = {
    &ragged_task, &ragged_of[0], &ragged_of[1], &ragged_of[2], &ragged_of[3], &ragged_of[4], NULL};
