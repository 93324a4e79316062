/*
 * cub: the bar to clear: what NVIDIA's own library makes of it.
 *
 * Look at: how close it comes to the plain read, size by size: ./step00 -n 64K,1M,16M,256M
 *          (The simulator cannot run it, and says so; it shows how right the CPU's three sums are.)
 */
#include "cub_depth.h"

#ifndef SIMT_SIMULATOR /* only nvcc can compile it */
#include <cub/device/device_reduce.cuh>

static void launch(struct sum *s)
{
    /* CUB needs one float for each block, 40 for each SM at most: the scratch memory has more.
       It says so itself if that should change. */
    size_t bytes = scratch_floats(s->n, s->block, 0, s->sms) * sizeof(float);
    CUDA_CHECK(cub::DeviceReduce::Sum(s->scratch, bytes, s->in, s->out, s->n, s->stream));
    s->depth = cub_depth(s->n, s->sms);
}
#endif

extern const struct variant variant_cub = {
    .name = "cub",
    .what = "the bar: cub::DeviceReduce::Sum",
    .launch = NVCC_ONLY(launch),
    .why_not = "CUB needs nvcc and a GPU",
};
