/* lesson.c: the variants of step 09, in the order of the table. */
#include "lesson.h"

extern const struct variant variant_ticket, variant_flagged_slots, variant_fixed_point;

static const struct variant *const variants[] = {
    &variant_ticket,
    &variant_flagged_slots,
    &variant_fixed_point,
    NULL,
};

const struct lesson lesson = {
    .name = "09_single_pass",
    .idea = "three ways to finish in one launch",
    .in_chinese = "只启动一次，只有一个线程块等待",
    .variants = variants,
};
