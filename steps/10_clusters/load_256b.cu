/*
 * load_256b: loads that make the L2 cache fetch 256 bytes at once.
 */
#include "hinted_sum.h"

static __device__ float4 load(const float4 *p)
{
    float4 v = {};
#ifdef HOPPER_CODE
    asm volatile("ld.global.nc.L2::256B.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                 : "l"(p));
#endif
    return v;
}

extern const struct variant variant_load_256b = {
    .name = "load_256b",
    .what = "L2 fetches 256 bytes at once",
    .launch = launch_hinted<load>,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .capability = 90,
};
