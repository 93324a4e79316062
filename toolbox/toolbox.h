/*
 * toolbox.h: what the programs of the toolbox share. Each is one topic: a few kernels that answer the
 * same question, with the warp's own tools and through shared memory.
 */
#ifndef TOOLBOX_H
#define TOOLBOX_H

#include "lesson.h"
#include "task.h"

/* The variants of one topic, in the order of the table. */
struct topic {
    const struct variant *variants;
    size_t count;
};

#define TOPIC(variants)                                                                            \
    {                                                                                              \
        variants, sizeof variants / sizeof variants[0]                                             \
    }

extern const struct topic exchange_topic, butterfly_topic, width_topic, transpose_topic, scan_topic,
    scan_array_topic, scan_two_pass_topic, scan_cub_topic, vote_topic, compact_topic,
    aggregate_topic, match_topic, redux_topic, masks_topic, softmax_topic;

/* Words of an answer that is as long as the question: a struct task's words(). */
static inline size_t n_words(size_t n, size_t row)
{
    (void)row;
    return n;
}

#endif
