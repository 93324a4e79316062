/* lesson.c: the variants of step 01, in the order of the table. */
#include "lesson.h"

extern const struct variant variant_v0, variant_v1;

static const struct variant *const variants[] = {
    &variant_v0,
    &variant_v1,
    NULL,
};

const struct lesson lesson = {
    .name = "01_interleaved",
    .idea = "a tree of additions, neighbours first",
    .in_chinese = "从相邻元素开始的求和树",
    .variants = variants,
};
