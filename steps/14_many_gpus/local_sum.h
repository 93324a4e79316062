/*
 * local_sum.h: what host and nccl begin with: a GPU sums its own share, by the function of step 11.
 */
#ifndef LOCAL_SUM_H
#define LOCAL_SUM_H

#include "11_library/lesson_workspace.h"
#include "library/parts/peer_slots.h"

/* GPU g becomes the current one and has its workspace, zeroed once. */
static inline const struct sum_f32_workspace *workspace_of(const struct sum *s, unsigned g)
{
    static struct sum_f32_workspace workspaces[MOST_GPUS];
    struct sum_f32_workspace *w = &workspaces[g];
    CUDA_CHECK(cudaSetDevice(s->shares[g].device));
    if (w->memory == NULL) {
        must(sum_f32_workspace_bytes(&w->bytes));
        CUDA_CHECK(cudaMalloc(&w->memory, w->bytes));
        CUDA_CHECK(cudaMemset(w->memory, 0, w->bytes));
    }
    return w;
}

/* The plan of step 11 for share g, on the current GPU; *hopper: as sum_f32_device() says. s->grid
   and s->block become the first GPU's, s->depth the largest, with one addition more for each GPU.
 */
static inline struct sum_f32_plan plan_of(struct sum *s, unsigned g, bool *hopper)
{
    unsigned sms;
    size_t n = s->shares[g].n;
    must(sum_f32_device(&sms, hopper));
    struct sum_f32_plan plan = sum_f32_plan(n, sms, *hopper);
    size_t depth = sum_f32_depth(&plan, n) + s->gpus;
    if (g == 0) {
        s->grid = plan.blocks;
        s->block = plan.threads;
    }
    s->depth = g == 0 || depth > s->depth ? depth : s->depth;
    return plan;
}

/* Queues the sum of share g into that GPU's out, and leaves the GPU current. */
static inline void sum_locally(struct sum *s, unsigned g)
{
    const struct share *share = &s->shares[g];
    const struct sum_f32_workspace *workspace = workspace_of(s, g);
    bool hopper;
    plan_of(s, g, &hopper);
    must(sum_f32(share->in, share->n, share->out, workspace, share->stream));
}

#endif
