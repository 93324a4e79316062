/* lesson.c: the variants of step 13, in the order of the table. */
#include "lesson.h"

extern const struct variant variant_fixed_range, variant_accumulators, variant_cached_accumulators,
    variant_doubles, variant_sum_f32_exact, variant_cpu_exact;

static const struct variant *const variants[] = {
    &variant_fixed_range,
    &variant_accumulators,
    &variant_cached_accumulators,
    &variant_doubles,
    &variant_sum_f32_exact,
    &variant_cpu_exact,
    NULL,
};

int demo(void);

const struct lesson lesson = {
    .name = "13_exact",
    .idea = "the sum without rounding: the same bits in any order",
    .in_chinese = "精确求和",
    .variants = variants,
    .demo = demo,
};
