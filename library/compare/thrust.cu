/* thrust.cu: Thrust, which returns its sum to the host. */
#include "cuda_errors.h"
#include "rivals.h"
#include "version.h"
#include <thrust/device_ptr.h>
#include <thrust/reduce.h>
#include <thrust/system/cuda/execution_policy.h>

static void sum(struct sum *s)
{
    thrust::device_ptr<const float> first(s->in);
    float sum = thrust::reduce(thrust::cuda::par.on(s->stream), first, first + s->n, 0.0f);
    CUDA_CHECK(cudaMemcpyAsync(s->out, &sum, sizeof sum, cudaMemcpyHostToDevice, s->stream));
}

extern const struct variant thrust_sum = {
    .name = "thrust", .what = cccl_version(), .launch = sum, .flags = NOT_IN_GRAPH};
