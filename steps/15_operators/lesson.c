/* lesson.c: the variants of step 15, in the order of the table. */
#include "lesson.h"

extern const struct variant variant_reduce_sum, variant_maximum, variant_argmax,
    variant_argmax_packed, variant_mean_variance, variant_mean_variance_batch,
    variant_variance_naive, variant_log_sum_exp, variant_log_sum_exp_batch, variant_log_sum_exp_cas,
    variant_norm, variant_norm_naive, variant_dot;

static const struct variant *const variants[] = {
    &variant_reduce_sum,
    &variant_maximum,
    &variant_argmax,
    &variant_argmax_packed,
    &variant_mean_variance,
    &variant_mean_variance_batch,
    &variant_variance_naive,
    &variant_log_sum_exp,
    &variant_log_sum_exp_batch,
    &variant_log_sum_exp_cas,
    &variant_norm,
    &variant_norm_naive,
    &variant_dot,
    NULL,
};

const struct lesson lesson = {
    .name = "15_operators",
    .idea = "one kernel for whatever may be combined in any order",
    .in_chinese = "换一种运算，核函数不变",
    .variants = variants,
};
