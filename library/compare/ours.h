/* ours.h: sum_f32() as a way to sum (pairs.h). */
#ifndef OURS_H
#define OURS_H

#include "library/sum_f32_plan.h"
#include "pairs.h"

/* What it needs: a workspace, made and zeroed here; plan NULL for the library's own choice. */
struct ours {
    struct sum_f32_workspace workspace;
    const struct sum_f32_plan *plan;
    bool overlap; /* with a plan: may the next launch begin early? */
};

struct ours make_ours(void);

/* Ends the program, after one line, if the library refuses. */
void must(enum sum_f32_status status);

/* context: a struct ours. Ends the program, after one line, if the sum is refused. */
void sum_ours(void *context, const float *in, size_t n, float *out, cudaStream_t stream);

#endif
