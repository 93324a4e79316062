/* sum_f32_plan.h: which kernel sums n floats; inside the library, and for those who measure it. */
#ifndef SUM_F32_PLAN_H
#define SUM_F32_PLAN_H

#include "sum_f32.h"
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    MOST_BLOCKS_PER_SM = 64,
    CLUSTER_BLOCKS = 8, /* blocks of one: as many as every GPU with clusters allows */
};

enum sum_f32_kind { ONE_BLOCK, ONE_CLUSTER, MANY_BLOCKS };

struct sum_f32_plan {
    enum sum_f32_kind kind;
    unsigned loads;   /* float4 that a thread asks for at once: 2, 4, 8 or 16 */
    unsigned threads; /* of a block, whole warps */
    unsigned blocks;
};

/* The plan for n floats on a GPU with so many SMs, with clusters or without. */
struct sum_f32_plan sum_f32_plan(size_t n, unsigned sms, bool clusters);

/* The same for elements of so many bytes, whose sum takes so many words of 8 bytes in the workspace
   (1, or 2 if it has 64 bits): as many bytes of floats have that plan. */
struct sum_f32_plan sum_types_plan(size_t n, size_t element_bytes, unsigned slot_words,
                                   unsigned sms, bool clusters);

/* The plan of sum_f32_exact(): blocks of at most EXACT_THREADS threads, whose accumulators share
   36 KB, and at most EXACT_BLOCKS_PER_SM of them for each SM. */
enum { EXACT_THREADS = 256, EXACT_BLOCKS_PER_SM = 2 };
struct sum_f32_plan sum_exact_plan(size_t n, unsigned sms, bool clusters);

/* SMs of the current device, and whether the library's code for it has clusters and launches that
   overlap: code for compute capability 9.0 or later. Returns SUM_F32_OK or SUM_F32_NO_DEVICE. */
enum sum_f32_status sum_f32_device(unsigned *sms, bool *hopper);

/* Additions on the longest way through it, from an element to the sum. */
size_t sum_f32_depth(const struct sum_f32_plan *plan, size_t n);
size_t sum_types_depth(const struct sum_f32_plan *plan, size_t n, size_t element_bytes);

/* As sum_f32(), but by this plan, and without the next launch overlapping unless asked to. */
enum sum_f32_status sum_f32_by(const struct sum_f32_plan *plan, bool overlap, const float *in,
                               size_t n, float *out, const struct sum_f32_workspace *workspace,
                               cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
