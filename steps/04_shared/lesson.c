/* lesson.c: the variants of step 04, in the order of the table. */
#include "lesson.h"

extern const struct variant variant_v6, variant_v6_interleaved, variant_v6_volatile;

static const struct variant *const variants[] = {
    &variant_v6,
    &variant_v6_interleaved,
    &variant_v6_volatile,
    NULL,
};

const struct lesson lesson = {
    .name = "04_shared",
    .idea = "the tree in shared memory",
    .in_chinese = "共享内存中的求和树",
    .variants = variants,
};
