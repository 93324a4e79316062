/*
 * host: each GPU sums its share, the host adds up what they found.
 *
 * New:     against one_gpu.cu: a loop over the GPUs. Each has its own memory, stream and kernel;
 *          what is launched on one does not wait for the others.
 * Why:     it needs nothing but copies. But the host must wait for the GPUs before it adds, and the
 *          GPUs for the host before they have the sum: two trips in which no GPU computes.
 * Look at: ./step14 -n 1K,1M: the time of a sum that is mostly waiting. It has no time in a graph,
 *          for a graph cannot wait for the host.
 */
#include "local_sum.h"

/* The host's memory, which GPUs reach too: a sum from each of them, and the total. */
static float *host_floats(void)
{
    static float *floats;
    if (floats == NULL)
        CUDA_CHECK(cudaMallocHost((void **)&floats, (MOST_GPUS + 1) * sizeof(float)));
    return floats;
}

static void launch(struct sum *s)
{
    float *partial = host_floats(), *total = partial + MOST_GPUS, sum = 0.0f;

    for (unsigned g = 0; g < s->gpus; g++) {
        sum_locally(s, g);
        CUDA_CHECK(cudaMemcpyAsync(&partial[g], s->shares[g].out, sizeof(float),
                                   cudaMemcpyDeviceToHost, s->shares[g].stream));
    }
    for (unsigned g = 0; g < s->gpus; g++) {
        CUDA_CHECK(cudaStreamSynchronize(s->shares[g].stream));
        sum += partial[g];
    }
    *total = sum; /* all copies are done: the streams were waited for */
    for (unsigned g = 0; g < s->gpus; g++) {
        CUDA_CHECK(cudaSetDevice(s->shares[g].device));
        CUDA_CHECK(cudaMemcpyAsync(s->shares[g].out, total, sizeof(float), cudaMemcpyHostToDevice,
                                   s->shares[g].stream));
    }
}

extern const struct variant variant_host = {
    .name = "host",
    .what = "each GPU sums its share, the host adds",
    .launch = launch,
    .flags = MANY_GPUS | NOT_IN_GRAPH,
};
