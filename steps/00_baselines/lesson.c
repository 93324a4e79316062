/* lesson.c: the variants of step 00, in the order of the table. */
#include "lesson.h"

extern const struct variant variant_cpu_serial, variant_cpu_pairwise, variant_cpu_kahan,
    variant_cpu_threads, variant_copy, variant_read, variant_cub, variant_thrust,
    variant_cub_copied;

static const struct variant *const variants[] = {
    &variant_cpu_serial, &variant_cpu_pairwise,
    &variant_cpu_kahan,  &variant_cpu_threads,
    &variant_copy,       &variant_read,
    &variant_cub,        &variant_thrust,
    &variant_cub_copied, NULL,
};

const struct lesson lesson = {
    .name = "00_baselines",
    .idea = "what to compare with: CPU, roof, libraries",
    .in_chinese = "第一个程序，以及比较的基准",
    .variants = variants,
};
