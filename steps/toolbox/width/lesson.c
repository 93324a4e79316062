/* lesson.c: the variants of this topic, in the order of the table. */
#include "lesson.h"

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
    .variants = variants,
};
