/* lesson.c: what is right, and the variants of this topic, in the order of the table: each
   that is right, and after it those that are wrong on purpose, by one slip. */
#include "lesson.h"
#include "task.h"

static size_t one_word(size_t n, size_t row)
{
    (void)n, (void)row;
    return 1;
}

static void check_total(const struct answer *a, struct verdict *verdict)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < a->n; i++)
        sum += word_at(a->in, i);
    expect_word(verdict, a->out, 0, sum);
}

const struct task masks_task = {
    .name = "masks",
    .words = one_word,
    .check = check_total,
};

extern const struct variant variant_masks_tail, variant_masks_full_tail, variant_masks_count,
    variant_masks_groups, variant_masks_activemask, variant_masks_half, variant_masks_branch,
    variant_masks_caller, variant_masks_source, variant_masks_width, variant_masks_edge,
    variant_masks_twelve, variant_masks_shared, variant_masks_no_syncwarp;

static const struct variant *const variants[] = {
    &variant_masks_tail,   &variant_masks_full_tail,   &variant_masks_count,
    &variant_masks_groups, &variant_masks_activemask,  &variant_masks_half,
    &variant_masks_branch, &variant_masks_caller,      &variant_masks_source,
    &variant_masks_width,  &variant_masks_edge,        &variant_masks_twelve,
    &variant_masks_shared, &variant_masks_no_syncwarp, NULL,
};

const struct lesson lesson = {
    .name = "masks",
    .idea = "who takes part, and what becomes of those who are named and not there",
    .in_chinese = "掩码的含义",
    .variants = variants,
};
