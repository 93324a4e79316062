/* lesson.c: the variants of scan, in the order of the table. */
#include "lesson.h"

extern const struct variant variant_scan_warp, variant_scan_warp_exclusive,
    variant_scan_warp_shared, variant_scan_warp_groups, variant_scan_block,
    variant_scan_block_exclusive, variant_scan_block_shared, variant_scan_array,
    variant_scan_two_pass, variant_scan_cub;

static const struct variant *const variants[] = {
    &variant_scan_warp,
    &variant_scan_warp_exclusive,
    &variant_scan_warp_shared,
    &variant_scan_warp_groups,
    &variant_scan_block,
    &variant_scan_block_exclusive,
    &variant_scan_block_shared,
    &variant_scan_array,
    &variant_scan_two_pass,
    &variant_scan_cub,
    NULL,
};

const struct lesson lesson = {
    .name = "scan",
    .idea = "prefix sums of a warp, a block, the whole array",
    .variants = variants,
};
