/* lesson.c: the variants of step 07, in the order of the table. */
#include "lesson.h"

extern const struct variant variant_cooperative, variant_cooperative_source;

static const struct variant *const variants[] = {
    &variant_cooperative,
    &variant_cooperative_source,
    NULL,
};

const struct lesson lesson = {
    .name = "07_cooperative",
    .idea = "one launch with a barrier for the whole grid",
    .in_chinese = "只启动一次，用整个网格的屏障",
    .variants = variants,
};
