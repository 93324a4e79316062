/* lesson.c: the variants of step 03, in the order of the table. */
#include "lesson.h"

extern const struct variant variant_v3x2, variant_v3x4, variant_v3x8, variant_v4, variant_v5;

static const struct variant *const variants[] = {
    &variant_v3x2, &variant_v3x4, &variant_v3x8, &variant_v4, &variant_v5, NULL,
};

const struct lesson lesson = {
    .name = "03_unrolled",
    .idea = "several loads in flight at once, and fewer barriers",
    .in_chinese = "循环展开",
    .variants = variants,
};
