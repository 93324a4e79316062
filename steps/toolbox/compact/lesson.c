/* lesson.c: the variants of compact, in the order of the table. */
#include "lesson.h"

extern const struct variant variant_compact, variant_compact_shared, variant_compact_warp_atomic,
    variant_compact_atomic;

static const struct variant *const variants[] = {
    &variant_compact,
    &variant_compact_shared,
    &variant_compact_warp_atomic,
    &variant_compact_atomic,
    NULL,
};

const struct lesson lesson = {
    .name = "compact",
    .idea = "keep what is > 0: each element must learn how many before it stay",
    .variants = variants,
};
