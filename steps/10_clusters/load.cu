/*
 * load: no hint at all: what the others are compared with.
 */
#include "hinted_sum.h"

static __device__ float4 load(const float4 *p)
{
    return *p;
}

extern const struct variant variant_load = {
    .name = "load",
    .what = "step 09's flagged_slots, to compare with",
    .launch = launch_hinted<load>,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
};
