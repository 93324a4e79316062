/* lesson_workspace.h: what the variants that call the library have in common. */
#ifndef LESSON_WORKSPACE_H
#define LESSON_WORKSPACE_H

#include "lesson.h"
#include "library/sum_f32_plan.h"
#include <stdio.h>
#include <stdlib.h>

/* Ends the program, after one line, if the library refuses. */
static inline void must(enum sum_f32_status status)
{
    if (status == SUM_F32_LAUNCH_FAILED)
        CUDA_CHECK(cudaGetLastError());
    if (status != SUM_F32_OK) {
        fprintf(stderr, "the library: %s\n", sum_f32_message(status));
        exit(1);
    }
}

/* Zeroed once, and used by every sum. */
static inline const struct sum_f32_workspace *workspace(void)
{
    static struct sum_f32_workspace w;
    if (w.memory == NULL) {
        must(sum_f32_workspace_bytes(&w.bytes));
        CUDA_CHECK(cudaMalloc(&w.memory, w.bytes));
        CUDA_CHECK(cudaMemset(w.memory, 0, w.bytes));
    }
    return &w;
}

/* Sets s->grid, s->block and s->depth to what the library chooses for n elements of this type. */
static inline void set_launch_and_depth(struct sum *s, size_t element_bytes, unsigned slot_words)
{
    unsigned sms;
    bool hopper;
    must(sum_f32_device(&sms, &hopper));
    struct sum_f32_plan plan = sum_types_plan(s->n, element_bytes, slot_words, sms, hopper);
    s->grid = plan.blocks;
    s->block = plan.threads;
    s->depth = sum_types_depth(&plan, s->n, element_bytes);
}

#endif
