/* lesson.c: the variants of match, in the order of the table. */
#include "lesson.h"

extern const struct variant variant_match, variant_match_shared, variant_match_global,
    variant_match_global_each;

static const struct variant *const variants[] = {
    &variant_match, &variant_match_shared, &variant_match_global, &variant_match_global_each, NULL,
};

const struct lesson lesson = {
    .name = "match",
    .idea = "each lane learns which lanes have the same key: a histogram",
    .in_chinese = "匹配与归约指令",
    .variants = variants,
};
