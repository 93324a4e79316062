/* result.h: all that is known about one variant at one n, as the table and the
   CSV show it. */
#ifndef RESULT_H
#define RESULT_H

#include "check.h"

#include "counters.h"
#include "element.h"
#include "lesson.h"
#include "stats.h"

/* What is the same for all results of a run. */
struct setting {
    const char *step;    /* "05_warp_shuffle" */
    const char *backend; /* "cuda" or "sim" */
    const char *gpu, *cpu;
    const char *gpus; /* of a variant on several: "2 x NVIDIA H200" */
    const char *pattern;
    bool cold; /* the plain launches were timed with a cold L2 */
};

/* Times in microseconds; runs is 0 where nothing was measured. */
struct measurement {
    struct stats time;
    double roof; /* the median of a plain read or copy of as many bytes, or 0 */
    struct verdict verdict;
};

struct result {
    const struct variant *variant;
    size_t n, row;        /* row: floats of a row, 0 where the task has none */
    size_t in_gaps;       /* of the n, those that belong to no row */
    size_t written;       /* words that the answer needs written; 0 for a sum */
    unsigned block, grid; /* of the first launch; 0 on the CPU */
    bool checked;         /* false for a roof, which sums nothing */
    struct measurement plain;
    struct measurement graph; /* one of many sums in a CUDA graph, L2 warm */
    struct counters counters;
};

/* Bytes the problem needs: each element read once, and what its answer needs written. */
static inline double bytes_needed(const struct result *result)
{
    return (double)element_bytes(result->variant->element) * (double)(result->n - result->in_gaps) +
           sizeof(float) * (double)result->written;
}

/* 10^9 of these bytes a second, and 100 * roof / median. */
static inline double gbps(const struct result *result, const struct measurement *measurement)
{
    return bytes_needed(result) / measurement->time.median / 1e3;
}

static inline double percent_of_roof(const struct measurement *measurement)
{
    return 100 * measurement->roof / measurement->time.median;
}

/* Whether every sum that was checked is right. */
static inline bool result_ok(const struct result *result)
{
    return !result->checked || (result->plain.verdict.ok && result->graph.verdict.ok);
}

#endif
