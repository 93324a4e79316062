/* lesson.c: the variants of step 02, in the order of the table. */
#include "lesson.h"

extern const struct variant variant_v2;

static const struct variant *const variants[] = {
    &variant_v2,
    NULL,
};

const struct lesson lesson = {
    .name = "02_sequential",
    .idea = "a tree of additions, far partners first",
    .in_chinese = "从远处元素开始的求和树",
    .variants = variants,
};
