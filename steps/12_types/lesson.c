/* lesson.c: the variants of step 12, in the order of the table. */
#include "lesson.h"

extern const struct variant variant_half, variant_half_naive, variant_sum_f16, variant_bfloat16,
    variant_bfloat16_naive, variant_sum_bf16, variant_float, variant_int32, variant_sum_i32,
    variant_double, variant_sum_f64;

int last_count(void); /* last_count.cu: where does + 1 change nothing? */

static const struct variant *const variants[] = {
    &variant_half,           &variant_half_naive, &variant_sum_f16, &variant_bfloat16,
    &variant_bfloat16_naive, &variant_sum_bf16,   &variant_float,   &variant_int32,
    &variant_sum_i32,        &variant_double,     &variant_sum_f64, NULL,
};

const struct lesson lesson = {
    .name = "12_types",
    .idea = "bytes decide the speed, the accumulator decides the accuracy",
    .in_chinese = "float 以外的类型",
    .variants = variants,
    .demo = last_count,
};
