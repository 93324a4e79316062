/*
 * The bar for scan_array: cub::DeviceScan::InclusiveSum.
 */
#include "scan.h"

#ifdef SIMT_SIMULATOR

static void (*const launch_cub)(struct sum *) = NULL;

#else

#include <cub/device/device_scan.cuh> /* only nvcc can compile it */

static void launch_cub(struct sum *s)
{
    static void *memory; /* kept for the next run; larger when n grows */
    static size_t room;
    size_t bytes = 0;

    CUDA_CHECK(cub::DeviceScan::InclusiveSum(NULL, bytes, s->in, s->out, s->n, s->stream));
    if (bytes > room) {
        CUDA_CHECK(cudaFree(memory));
        CUDA_CHECK(cudaMalloc(&memory, bytes));
        room = bytes;
    }
    CUDA_CHECK(cub::DeviceScan::InclusiveSum(memory, bytes, s->in, s->out, s->n, s->stream));
}

#endif

/* By CCCL 3.0's tuning_scan.cuh tiles are of 128 * 15 floats or more, with up to 24 in each thread.
   A thread adds these, a warp takes 5 rounds, up to 12 warps come one after another; then come the
   tiles before, and the thread's own floats again. */
static void check(const struct answer *a, struct verdict *verdict)
{
    const struct scan_shape shape = {0, false, 24 + 5 + 12 + 24 + 3, 128 * 15};
    check_scan(a, verdict, &shape);
}

static const struct task task = {.words = n_words, .check = check};

static const struct variant variants[] = {
    {.name = "scan_cub",
     .what = "the bar: cub::DeviceScan::InclusiveSum",
     .launch = launch_cub,
     .block_rule = BLOCK_ANY,
     .why_not = "CUB needs nvcc and a GPU",
     .task = &task},
};

const struct topic scan_cub_topic = TOPIC(variants);
