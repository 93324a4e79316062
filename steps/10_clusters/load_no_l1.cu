/*
 * load_no_l1: loads that are not kept in L1.
 */
#include "hinted_sum.h"

static __device__ float4 load(const float4 *p)
{
    float4 v = {};
#ifdef HOPPER_CODE
    asm volatile("ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                 : "l"(p));
#endif
    return v;
}

extern const struct variant variant_load_no_l1 = {
    .name = "load_no_l1",
    .what = "not kept in L1",
    .launch = launch_hinted<load>,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .capability = 90,
};
