/*
 * load_cs: loads marked as streaming: first to be thrown out of both caches.
 */
#include "hinted_sum.h"

static __device__ float4 load(const float4 *p)
{
    return __ldcs(p); /* ld.global.cs */
}

extern const struct variant variant_load_cs = {
    .name = "load_cs",
    .what = "its loads marked as streaming",
    .launch = launch_hinted<load>,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
};
