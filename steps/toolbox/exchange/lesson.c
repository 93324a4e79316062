/* lesson.c: the variants of this topic, in the order of the table. */
#include "lesson.h"

extern const struct variant variant_broadcast, variant_broadcast_shared, variant_broadcast_groups,
    variant_rotate, variant_rotate_shared, variant_rotate_groups, variant_butterfly,
    variant_butterfly_shared, variant_butterfly_groups;

static const struct variant *const variants[] = {
    &variant_broadcast,        &variant_broadcast_shared,
    &variant_broadcast_groups, &variant_rotate,
    &variant_rotate_shared,    &variant_rotate_groups,
    &variant_butterfly,        &variant_butterfly_shared,
    &variant_butterfly_groups, NULL,
};

const struct lesson lesson = {
    .name = "exchange",
    .idea = "32 lanes hand each other a register: from one to all, round, in pairs",
    .variants = variants,
};
