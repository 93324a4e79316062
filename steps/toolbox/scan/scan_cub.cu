/*
 * scan_cub: the bar for scan_array.cu, cub::DeviceScan::InclusiveSum.
 */
#include "scan.h"

#ifndef SIMT_SIMULATOR
#include <cub/device/device_scan.cuh> /* only nvcc can compile it */

static void launch(struct sum *s)
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
    const struct scan_shape shape = {.depth = 24 + 5 + 12 + 24 + 3, .tile = 128 * 15};
    check_scan(a, verdict, &shape);
}

static const struct task task = {
    .name = "scan",
    .words = n_words,
    .check = check,
};

extern const struct variant variant_scan_cub = {
    .name = "scan_cub",
    .what = "the bar: cub::DeviceScan::InclusiveSum",
    .launch = NVCC_ONLY(launch),
    .why_not = "CUB needs nvcc and a GPU",
    .task = &task,
};
