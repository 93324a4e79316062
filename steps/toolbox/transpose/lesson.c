/* lesson.c: the variants of this topic, in the order of the table. */
#include "lesson.h"

extern const struct variant variant_transpose, variant_transpose_shared, variant_transpose_swizzle,
    variant_transpose_conflict;

static const struct variant *const variants[] = {
    &variant_transpose,
    &variant_transpose_shared,
    &variant_transpose_swizzle,
    &variant_transpose_conflict,
    NULL,
};

const struct lesson lesson = {
    .name = "transpose",
    .idea = "a tile of 32 x 32: rows become columns",
    .variants = variants,
};
