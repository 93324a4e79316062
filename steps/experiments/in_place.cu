/*
 * Experiment in_place: source 001's tree, which overwrites its input, where it is wrong.
 *
 * Expect:  (written before the first run; H200) no_guard wrong with -b 96, for a block adds an
 *          element of the next; right with -b 256. in_place_twice: the sum of what the first run
 *          left, not of the array.
 * Run:     make in_place && ./in_place --check -n 4096 -v in_place_twice
 */
#include "lesson.h"

/* v1 as the source has it: it looks whether index is in the block, not index + stride. And it
   has no n, so the array must end with a block. */
static __global__ void no_guard(float *in, float *out)
{
    float *idata = in + (size_t)blockIdx.x * blockDim.x;
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        unsigned index = 2 * stride * threadIdx.x;
        if (index < blockDim.x)
            idata[index] += idata[index + stride];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        atomicAdd(out, idata[0]);
}

/* A tree in place by one block, so that one launch is a whole sum. */
static __global__ void in_place(float *in, float *out, size_t n)
{
    for (size_t count = n; count > 1; count = (count + 1) / 2) {
        for (size_t i = threadIdx.x; i < count / 2; i += blockDim.x)
            in[i] += in[i + (count + 1) / 2];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        *out = n > 0 ? in[0] : 0.0f;
}

static void launch_no_guard(struct sum *s)
{
    s->grid = blocks_for(s->n, s->block);
    s->depth = ceil_log2(s->block) + s->grid;
    CUDA_CHECK(cudaMemsetAsync(s->out, 0, sizeof(float), s->stream));
    no_guard<<<s->grid, s->block, 0, s->stream>>>(s->in, s->out);
    CUDA_CHECK(cudaGetLastError());
}

static void launch_in_place_twice(struct sum *s)
{
    s->grid = 1;
    s->depth = ceil_log2(s->n);
    for (int run = 0; run < 2; run++) {
        in_place<<<1, s->block, 0, s->stream>>>(s->in, s->out, s->n);
        CUDA_CHECK(cudaGetLastError());
    }
}

static const struct variant variant_no_guard = {
    .name = "no_guard",
    .what = "index < blockDim.x is all that v1 asks: see -b 96",
    .launch = launch_no_guard,
    .per_thread = 1,
    .flags = KNOWN_WRONG | OVERWRITES_INPUT,
};

static const struct variant variant_in_place_twice = {
    .name = "in_place_twice",
    .what = "timed twice without restoring the input",
    .launch = launch_in_place_twice,
    .flags = KNOWN_WRONG | OVERWRITES_INPUT,
};

static const struct variant *const variants[] = {
    &variant_no_guard,
    &variant_in_place_twice,
    NULL,
};

extern const struct lesson lesson = {
    .name = "in_place",
    .idea = "source 001's tree where it is wrong",
    .variants = variants,
};
