/*
 * load_evict_first: loads whose lines are the first to leave L2.
 */
#include "hinted_sum.h"

static __device__ float4 load(const float4 *p)
{
    float4 v = {};
#ifdef HOPPER_CODE
    unsigned long long policy;
    asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
    asm volatile("ld.global.nc.L2::cache_hint.v4.f32 {%0, %1, %2, %3}, [%4], %5;"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                 : "l"(p), "l"(policy));
#endif
    return v;
}

extern const struct variant variant_load_evict_first = {
    .name = "load_evict_first",
    .what = "first to leave L2",
    .launch = launch_hinted<load>,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .capability = 90,
};
