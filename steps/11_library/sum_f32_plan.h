/* sum_f32_plan.h: which kernel sums n floats; inside the library, and for those who measure it. */
#ifndef SUM_F32_PLAN_H
#define SUM_F32_PLAN_H

#include "sum_f32.h"
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { MOST_BLOCKS_PER_SM = 64 };

enum sum_f32_kind { ONE_BLOCK, ONE_CLUSTER, MANY_BLOCKS };

struct sum_f32_plan {
    enum sum_f32_kind kind;
    unsigned loads;   /* float4 that a thread asks for at once: 4, 8 or 16 */
    unsigned threads; /* of a block, whole warps */
    unsigned blocks;
};

/* The plan for n floats on a GPU with so many SMs, with clusters or without. */
struct sum_f32_plan sum_f32_plan(size_t n, unsigned sms, bool clusters);

/* Additions on the longest way through it, from an element to the sum. */
size_t sum_f32_depth(const struct sum_f32_plan *plan, size_t n);

/* As sum_f32(), but by this plan, and without the next launch overlapping unless asked to. */
enum sum_f32_status sum_f32_by(const struct sum_f32_plan *plan, bool overlap, const float *in,
                               size_t n, float *out, const struct sum_f32_workspace *workspace,
                               cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
