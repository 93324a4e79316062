/* lesson.c: the variants of step 16, in the order of the table. */
#include "lesson.h"

extern const struct variant variant_row_thread, variant_row_warp, variant_row_block,
    variant_row_lanes, variant_row_slots, variant_column_lanes, variant_column_slots,
    variant_row_stream, variant_ragged_warp, variant_ragged_even;

static const struct variant *const variants[] = {
    &variant_row_thread,
    &variant_row_warp,
    &variant_row_block,
    &variant_row_lanes,
    &variant_row_slots,
    &variant_column_lanes,
    &variant_column_slots,
    &variant_row_stream,
    &variant_ragged_warp,
    &variant_ragged_even,
    NULL,
};

const struct lesson lesson = {
    .name = "16_rows",
    .idea = "many answers: the shape decides the kernel",
    .in_chinese = "每行各求一个结果，由形状决定核函数",
    .variants = variants,
};
