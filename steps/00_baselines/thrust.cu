/*
 * thrust: the bar again, as most programs call it: Thrust calls CUB, waits for the sum, and returns
 * it to the host.
 */
#include "cub_depth.h"

#ifndef SIMT_SIMULATOR /* only nvcc can compile it */
#include <thrust/device_ptr.h>
#include <thrust/reduce.h>
#include <thrust/system/cuda/execution_policy.h>

static void launch(struct sum *s)
{
    thrust::device_ptr<const float> in(s->in);
    float sum = thrust::reduce(thrust::cuda::par.on(s->stream), in, in + s->n, 0.0f);
    CUDA_CHECK(cudaMemcpyAsync(s->out, &sum, sizeof sum, cudaMemcpyHostToDevice, s->stream));
    s->depth = cub_depth(s->n, s->sms);
}
#endif

extern const struct variant variant_thrust = {
    .name = "thrust",
    .what = "the bar: thrust::reduce, which returns its sum to the host",
    .launch = NVCC_ONLY(launch),
    .flags = NOT_IN_GRAPH,
    .why_not = "Thrust needs nvcc and a GPU",
};
