/* lesson.c: the variants of step 11, in the order of the table. */
#include "lesson.h"

extern const struct variant variant_sum_f32;

static const struct variant *const variants[] = {
    &variant_sum_f32,
    NULL,
};

const struct lesson lesson = {
    .name = "11_library",
    .idea = "the function that one would ship",
    .in_chinese = "可以交付使用的函数",
    .variants = variants,
};
