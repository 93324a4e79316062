/* lesson.c: what is right, and the variants of this topic, in the order of the table. */
#include "width.h"

#include "toolbox/exchange/exchange.h"
#include "toolbox/toolbox.h"

static size_t eighth_words(size_t n, size_t row)
{
    (void)row;
    return n / WIDTH + (n % WIDTH > 0);
}

static void check_rotate(const struct answer *a, struct verdict *verdict)
{
    check_rotation(a, verdict, WIDTH);
}

static void check_sums(const struct answer *a, struct verdict *verdict)
{
    for (size_t i = 0; i < eighth_words(a->n, 0); i++)
        expect_float(verdict, a->out, i, row_sum(a->in, a->n, i * WIDTH, WIDTH));
}

const struct task width_rotate_task = {
    .name = "width_rotate",
    .words = n_words,
    .check = check_rotate,
};

const struct task width_sum_task = {
    .name = "width_sum",
    .words = eighth_words,
    .check = check_sums,
};

extern const struct variant variant_width_rotate, variant_width_rotate_shared,
    variant_width_rotate_groups, variant_width_sum, variant_width_sum_shared,
    variant_width_sum_groups;

static const struct variant *const variants[] = {
    &variant_width_rotate,
    &variant_width_rotate_shared,
    &variant_width_rotate_groups,
    &variant_width_sum,
    &variant_width_sum_shared,
    &variant_width_sum_groups,
    NULL,
};

const struct lesson lesson = {
    .name = "width",
    .idea = "a warp as four warps of 8 lanes",
    .in_chinese = "更小的线程束：width 参数",
    .variants = variants,
};
