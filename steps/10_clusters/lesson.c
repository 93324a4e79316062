/* lesson.c: the variants of step 10, in the order of the table. */
#include "lesson.h"

extern const struct variant variant_cluster_8, variant_cluster_16, variant_clusters, variant_load,
    variant_load_cs, variant_load_no_l1, variant_load_evict_first, variant_load_256b,
    variant_bulk_4x8k, variant_bulk_4x16k, variant_bulk_6x32k, variant_bulk_3x64k;

static const struct variant *const variants[] = {
    &variant_cluster_8,
    &variant_cluster_16,
    &variant_clusters,
    &variant_load,
    &variant_load_cs,
    &variant_load_no_l1,
    &variant_load_evict_first,
    &variant_load_256b,
    &variant_bulk_4x8k,
    &variant_bulk_4x16k,
    &variant_bulk_6x32k,
    &variant_bulk_3x64k,
    NULL,
};

const struct lesson lesson = {
    .name = "10_clusters",
    .idea = "clusters, bulk copies, cache hints: what Hopper adds",
    .in_chinese = "Hopper 增加了什么，求和能用上什么",
    .variants = variants,
};
