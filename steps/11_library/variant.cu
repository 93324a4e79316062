/*
 * variant.cu: sum_f32() in the table of the others, called as a program would call it. The function
 * itself is in sum_f32.cu, what it chooses in sum_f32_plan.c.
 */
#include "lesson.h"
#include "sum_f32_plan.h"
#include <stdio.h>
#include <stdlib.h>

static void must(enum sum_f32_status status)
{
    if (status == SUM_F32_LAUNCH_FAILED)
        CUDA_CHECK(cudaGetLastError());
    if (status != SUM_F32_OK) {
        fprintf(stderr, "step11: sum_f32: %s\n", sum_f32_message(status));
        exit(1);
    }
}

/* Zeroed once, and used by every sum. */
static const struct sum_f32_workspace *workspace(void)
{
    static struct sum_f32_workspace w;
    if (w.memory == NULL) {
        must(sum_f32_workspace_bytes(&w.bytes));
        CUDA_CHECK(cudaMalloc(&w.memory, w.bytes));
        CUDA_CHECK(cudaMemset(w.memory, 0, w.bytes));
    }
    return &w;
}

static void launch(struct sum *s)
{
    int device, major;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
    struct sum_f32_plan plan = sum_f32_plan(s->n, s->sms, major >= 9);
    s->grid = plan.blocks;
    s->block = plan.threads; /* it chooses for itself */
    s->depth = sum_f32_depth(&plan, s->n);
    must(sum_f32(s->in, s->n, s->out, workspace(), s->stream));
}

extern const struct variant variant_sum_f32 = {
    .name = "sum_f32",
    .what = "the library's function: one block, one cluster or many blocks, by n",
    .launch = launch,
};
