/* lesson.c: the variants of softmax, in the order of the table. */
#include "lesson.h"

extern const struct variant variant_softmax_warp, variant_softmax_warp_shared,
    variant_softmax_block, variant_softmax_cluster;

static const struct variant *const variants[] = {
    &variant_softmax_warp,
    &variant_softmax_warp_shared,
    &variant_softmax_block,
    &variant_softmax_cluster,
    NULL,
};

const struct lesson lesson = {
    .name = "softmax",
    .idea = "what the lanes' tools are for: a row stays in registers from load to store",
    .variants = variants,
};
