/* lesson.c: the variants of step 05, in the order of the table. */
#include "lesson.h"

extern const struct variant variant_v7, variant_v7_atomic, variant_v7_warps, variant_block_reduce,
    variant_atomic_per_block, variant_atomic_per_warp;

int shuffle_demo(void); /* demo.cu */

static const struct variant *const variants[] = {
    &variant_v7,
    &variant_v7_atomic,
    &variant_v7_warps,
    &variant_block_reduce,
    &variant_atomic_per_block,
    &variant_atomic_per_warp,
    NULL,
};

const struct lesson lesson = {
    .name = "05_warp_shuffle",
    .idea = "a warp adds up its registers with shuffles",
    .in_chinese = "线程束在寄存器中求和",
    .variants = variants,
    .demo = shuffle_demo,
};
